import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH, type ServiceName } from '@waymark/contracts';
import { type CallInput, httpCall } from '@waymark/testing';
import type { ServiceProcess } from '../../dev/services.ts';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';

const REQUESTS_PER_SECOND = 100;
const EXIT_LIMIT_MS = 20_000;
/** Requests that pass before, and after, a process goes. */
const AROUND = 150;

type Request = [method: string, path: string, input?: CallInput];

/** Who goes, one process after another, and what clients ask of them meanwhile. */
interface Fleet {
  goes: ServiceName[];
  stays: ServiceName[];
  requests(product: ProductProcesses): Promise<Request[]>;
}

const fleets: Fleet[] = [
  {
    goes: ['gateway', 'accounts', 'decisions', 'audit'],
    stays: [],
    async requests({ workspaceId }) {
      const query = { workspaceId, limit: 5 };
      return [
        ['POST', '/decisions', { query: { workspaceId }, body: { title: 'A decision' } }],
        ['GET', '/decisions', { query }],
        ['GET', '/audit-log', { query }],
      ];
    },
  },
  {
    goes: ['workflows', 'threads', 'search', 'webhooks', 'transfer'],
    stays: ['accounts', 'decisions'],
    async requests({ call, workspaceId, cookie }) {
      const { body: workflow } = await call('POST', '/workflows', { body: { workspaceId, title: 'A flow' } });
      const at = { workspaceId, workflowId: workflow.id, positionX: 0, positionY: 0 };
      const { body: node } = await call('POST', '/nodes', { body: { ...at, type: 'task', title: 'A node' } });
      const query = { workspaceId };
      return [
        ['PATCH', `/nodes/${node.id}`, { body: { title: 'A node' } }],
        ['POST', `/threads/${node.id}`, { body: { content: 'A message' } }],
        ['GET', '/search', { query: { ...query, q: 'node' } }],
        ['GET', '/webhooks', { query, headers: { cookie } }],
        ['GET', '/export/madr', { query }],
      ];
    },
  },
];

const isReady = async (process: ServiceProcess) => {
  const answer = await httpCall(process.adminUrl, 'GET', '/readyz').catch(() => null);
  return answer?.status === 200;
};

/** Requests at a steady rate over the gateways that are ready, as a load balancer spreads them. */
function startTraffic(product: ProductProcesses, requests: readonly Request[]) {
  const agent = new http.Agent({ keepAlive: true });
  const gateways = product.services.processes.filter(({ service }) => service === 'gateway');
  const failures: string[] = [];
  let ready = gateways;
  let sent = 0;
  const inFlight = new Set<Promise<unknown>>();
  const headers = { authorization: `Bearer ${product.key}` };

  async function send(turn: number) {
    const base = ready[turn % ready.length]!.url + BASE_PATH;
    const [method, path, input] = requests[turn % requests.length]!;
    try {
      const answer = await httpCall(base, method, path, { agent, headers, ...input });
      if (answer.status >= 300) failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${error}`);
    }
  }
  const timer = setInterval(() => {
    const work = send(sent).finally(() => inFlight.delete(work));
    sent += 1;
    inFlight.add(work);
  }, 1_000 / REQUESTS_PER_SECOND);
  const probe = setInterval(async () => {
    const states = await Promise.all(gateways.map(isReady));
    const up = gateways.filter((_, i) => states[i]);
    if (up.length > 0) ready = up;
  }, 200);

  return {
    failures,
    async afterMore(count: number) {
      const at = sent + count;
      while (sent < at) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async stop() {
      clearInterval(timer);
      clearInterval(probe);
      await Promise.allSettled([...inFlight]);
      agent.destroy();
    },
  };
}

describe.each(fleets)('SIGTERM to each process of $goes under load', ({ goes, stays, requests }) => {
  let product: ProductProcesses;
  beforeAll(async () => {
    product = await startProductProcesses({
      only: [...goes, ...stays],
      replicas: Object.fromEntries(goes.map((name) => [name, 2])),
      env: { DRAIN_DELAY_MS: '3000' },
    });
  }, 120_000);
  afterAll(() => product.stop(), 60_000);

  it('fails no request, and each exits within 20 s with code 0', async () => {
    const traffic = startTraffic(product, await requests(product));
    await traffic.afterMore(AROUND);
    for (const { service, process } of product.services.processes) {
      if (!goes.includes(service)) continue;
      const startedAt = performance.now();
      const exit = await process.stop(EXIT_LIMIT_MS);
      expect([service, exit.code]).toEqual([service, 0]);
      expect(performance.now() - startedAt).toBeLessThan(EXIT_LIMIT_MS);
      await traffic.afterMore(AROUND);
      await process.restart();
      await traffic.afterMore(AROUND);
      expect(traffic.failures).toEqual([]);
    }
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
  }, 240_000);
});
