import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rateLimits } from '@waymark/contracts';
import type { StoreProcess } from '@waymark/local-stack';
import { type Answer, eventually, httpCall, patience } from '@waymark/testing';
import { type ClusteredProduct, startClusteredProduct } from './clusters.ts';

const KEYS = 4;
const perKey = rateLimits.key.business.mutation;
const perWorkspace = rateLimits.workspace.business.mutation;
/** Exceeds the limit of a key, and with all keys together that of the workspace. */
const CALLS_PER_KEY = perKey + 10;
const RECOVERY_LIMIT_MS = patience(30_000);

let clusters: ClusteredProduct;
beforeAll(async () => {
  const env = {
    LIMIT_SCALE: '1',
    RATE_LIMITS: JSON.stringify({ session: { mutation: 100_000 } }),
    // On a busy machine Redis may be slower than in production. After a timeout the limiter would count in
    // memory, which this test does not cover.
    REDIS_TIMEOUT_MS: '1000',
  };
  clusters = await startClusteredProduct({ only: ['accounts', 'decisions'], env });
});
afterAll(() => clusters?.product.stop(), 60_000);

interface Tenant {
  workspaceId: string;
  keys: string[];
}

/** Creates a workspace whose plan has low limits, with some keys. */
async function createTenant(): Promise<Tenant> {
  const headers = { cookie: clusters.product.cookie };
  const call = (method: string, path: string, body: object) =>
    httpCall(clusters.product.services.baseUrl, method, path, { headers, body });
  const workspaceId: string = (await call('POST', '/workspaces', { name: 'Tenant' })).body.id;
  await call('PUT', `/workspaces/${workspaceId}/plan`, { plan: 'business' });
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i += 1) {
    const body = { workspaceId, name: `Key ${i}`, scopes: ['read', 'write'] };
    keys.push((await call('POST', '/api-keys', body)).body.key);
  }
  return { workspaceId, keys };
}

/** Creates a tenant whose requests this master counted. After its failure, the replica counts them. */
async function createTenantAt(master: StoreProcess): Promise<Tenant> {
  for (;;) {
    const tenant = await createTenant();
    if ((await clusters.counterOf(tenant.workspaceId)) === master) return tenant;
  }
}

/** Returns how many requests the gateways counted in memory, without Redis. */
async function decidedInMemory(): Promise<number> {
  const gateways = clusters.product.services.processes.filter(({ service }) => service === 'gateway');
  const texts = await Promise.all(
    gateways.map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text()),
  );
  const counts = texts.join('\n').matchAll(/^waymark_limiter_decisions_total\{.*by="memory".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const callAt = (turn: number, key: string, workspaceId: string) =>
  httpCall(clusters.baseUrls[turn % clusters.baseUrls.length]!, 'POST', '/quality', {
    headers: { authorization: `Bearer ${key}` },
    query: { workspaceId },
    body: { title: 'A draft' },
  });

/** Sends concurrent requests with all keys, distributed over the gateways. */
async function burst({ workspaceId, keys }: Tenant): Promise<{ key: string; answer: Answer }[]> {
  const turns = Array.from({ length: KEYS * CALLS_PER_KEY }, (_, turn) => turn);
  return Promise.all(
    turns.map(async (turn) => {
      const key = keys[Math.floor(turn / clusters.baseUrls.length) % KEYS]!;
      return { key, answer: await callAt(turn, key, workspaceId) };
    }),
  );
}

/** Expects that in every window exactly the allowed requests passed, and all refusals are 429. */
function expectExact(results: { key: string; answer: Answer }[]): void {
  expect(results.filter(({ answer }) => ![200, 429].includes(answer.status))).toEqual([]);
  const windows = Map.groupBy(results, ({ answer }) => answer.headers['x-ratelimit-reset']);
  for (const window of windows.values()) {
    const sent = [...Map.groupBy(window, ({ key }) => key).values()];
    const may = sent.reduce((sum, { length }) => sum + Math.min(perKey, length), 0);
    const passed = window.filter(({ answer }) => answer.status === 200).length;
    expect(passed).toBe(Math.min(perWorkspace, may));
  }
}

describe('three gateways on a Redis Cluster', () => {
  it('together keep the exact limits of keys and of their workspace', async () => {
    expectExact(await burst(await createTenant()));
  });

  it('refuse no requests while a master fails, and are exact again after its replica took over', async () => {
    const { workspaceId, keys } = await createTenant();
    const victim = await clusters.counterOf(workspaceId);
    const startedAt = performance.now();
    await victim.kill();
    for (let turn = 0; turn < perKey; turn += 1) {
      const answer = await callAt(turn, keys[turn % KEYS]!, workspaceId);
      expect(answer.status).toBe(200);
    }
    await eventually(async () => {
      const before = await decidedInMemory();
      expectExact(await burst(await createTenantAt(victim)));
      expect(await decidedInMemory()).toBe(before);
    }, RECOVERY_LIMIT_MS);
    console.log(`limits exact again ${Math.round(performance.now() - startedAt)} ms after the kill`);
  });
});
