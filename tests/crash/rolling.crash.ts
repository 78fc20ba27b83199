import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceName, services } from '@waymark/contracts';
import { type Answer, httpCall, startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { callApi } from '../../dev/api.ts';
import { type ProductProcesses, startProductProcesses } from './product-processes.ts';
import { type Kinds, startTraffic } from './steady-traffic.ts';

const REQUESTS_PER_SECOND = 100;
const EXIT_LIMIT_MS = 20_000;
/** Requests that pass before, and after, a process goes. */
const AROUND = 60;
const names = Object.keys(services) as ServiceName[];

let product: ProductProcesses;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  product = await startProductProcesses({
    only: names.filter((name) => name !== 'gateway'),
    replicas: 2,
    env: { DRAIN_DELAY_MS: '3000' },
  });
}, 180_000);
afterAll(async () => {
  await product.stop();
  await receiver.stop();
}, 60_000);

async function made(headers: Record<string, string>, path: string, body: object): Promise<Answer['body']> {
  const answer = await httpCall(product.services.baseUrl, 'POST', path, { headers, body });
  expect([path, answer.status, answer.text]).toEqual([path, 201, expect.any(String)]);
  return answer.body;
}

/** Of every service what it does for a client: a read, and a write where it has one of its own. */
async function kinds(): Promise<Kinds> {
  const key = { authorization: `Bearer ${product.key}` };
  const session = { cookie: product.cookie, origin: new URL(product.services.baseUrl).origin };
  const query = { workspaceId: product.workspaceId };
  const page = { ...query, limit: 5 };
  const workflow = await made(key, '/workflows', { ...query, title: 'Rolled' });
  const place = { type: 'task', positionX: 0, positionY: 0 };
  const node = await made(key, '/nodes', { ...query, workflowId: workflow.id, title: 'Rolled', ...place });
  const hook = { ...query, url: receiver.url, events: ['workspace.member_added'] };
  const webhook = await made(session, '/webhooks', hook);
  // Of its own, so that it stays as small as it is.
  const other = await callApi<{ workspaces: { id: string }[] }>(`${product.services.baseUrl}/auth/sign-up`, {
    method: 'POST',
    body: { email: 'small@example.com', password: 'correct horse battery', name: 'Small' },
  });
  const exported = {
    headers: { cookie: other.cookie ?? '' },
    query: { workspaceId: other.body.workspaces[0]!.id },
  };
  const asSession = { headers: session, query };
  return {
    'accounts: read': [4, (call) => call('GET', '/members', asSession)],
    'decisions: write': [
      4,
      (call, turn) => call('POST', '/decisions', { query, body: { title: `No. ${turn}` } }),
    ],
    'decisions: read': [6, (call) => call('GET', '/decisions', { query: page })],
    'workflows: write': [2, (call) => call('POST', '/workflows', { body: { ...query, title: 'Another' } })],
    'workflows: read': [6, (call) => call('GET', `/nodes/${node.id}`)],
    'threads: write': [2, (call) => call('POST', `/threads/${node.id}`, { body: { content: 'Said' } })],
    'threads: read': [4, (call) => call('GET', `/threads/${node.id}`, { query: { limit: 5 } })],
    'search: read': [3, (call) => call('GET', '/search', { query: { ...page, q: 'Rolled' } })],
    'audit: read': [3, (call) => call('GET', '/audit-log', { query: page })],
    'webhooks: write': [1, (call) => call('POST', `/webhooks/${webhook.id}/test`, asSession)],
    'webhooks: read': [4, (call) => call('GET', `/webhooks/${webhook.id}`, asSession)],
    'transfer: read': [1, (call) => call('GET', '/export', exported)],
  };
}

describe(`SIGTERM to each process of every service under ${REQUESTS_PER_SECOND} requests/s`, () => {
  it('fails no request, and each exits within 20 s with code 0', async () => {
    const mix = await kinds();
    const traffic = startTraffic(product, REQUESTS_PER_SECOND, mix);
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
        expect([service, traffic.failures]).toEqual([service, []]);
      }
    } finally {
      await traffic.stop();
    }
    expect(traffic.failures).toEqual([]);
    expect([...traffic.answered.keys()].sort()).toEqual(Object.keys(mix).sort());
  }, 420_000);
});
