import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@waymark/contracts';
import { httpCall } from '@waymark/testing';
import type { ServiceProcess } from '../../dev/services.ts';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';

const REQUESTS_PER_SECOND = 100;
const EXIT_LIMIT_MS = 20_000;
/** Requests that pass before, and after, a process goes. */
const AROUND = 150;

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({ replicas: 2, env: { DRAIN_DELAY_MS: '3000' } });
}, 120_000);
afterAll(() => product.stop(), 60_000);

const isReady = async (process: ServiceProcess) => {
  const answer = await httpCall(process.adminUrl, 'GET', '/readyz').catch(() => null);
  return answer?.status === 200;
};

/** Requests at a steady rate over the gateways that are ready, as a load balancer spreads them. */
function startTraffic() {
  const agent = new http.Agent({ keepAlive: true });
  const gateways = product.services.processes.filter(({ service }) => service === 'gateway');
  const failures: string[] = [];
  let ready = gateways;
  let sent = 0;
  const inFlight = new Set<Promise<unknown>>();
  const headers = { authorization: `Bearer ${product.key}` };
  const query = { workspaceId: product.workspaceId };

  async function send(turn: number) {
    const base = ready[turn % ready.length]!.url + BASE_PATH;
    const [method, path, body] = (
      [
        ['POST', '/decisions', { title: `Decision ${turn}` }],
        ['GET', '/decisions', undefined],
        ['GET', '/audit-log', undefined],
      ] as const
    )[turn % 3]!;
    try {
      const input = {
        agent,
        headers,
        query: { ...query, ...(method === 'GET' && { limit: 5 }) },
        ...(body && { body }),
      };
      const answer = await httpCall(base, method, path, input);
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

describe(`SIGTERM to each process under ${REQUESTS_PER_SECOND} requests/s`, () => {
  it('fails no request, and each exits within 20 s with code 0', async () => {
    const traffic = startTraffic();
    try {
      await traffic.afterMore(AROUND);
      for (const { service, process } of product.services.processes) {
        const startedAt = performance.now();
        const exit = await process.stop(EXIT_LIMIT_MS);
        expect([service, exit.code]).toEqual([service, 0]);
        expect(performance.now() - startedAt).toBeLessThan(EXIT_LIMIT_MS);
        await traffic.afterMore(AROUND);
        await process.restart();
        await traffic.afterMore(AROUND);
        expect(traffic.failures).toEqual([]);
      }
    } finally {
      await traffic.stop();
    }
    expect(traffic.failures).toEqual([]);
  }, 240_000);
});
