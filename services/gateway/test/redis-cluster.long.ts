import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Answer, eventually } from '@waymark/testing';
import { createClient } from 'redis';
import { useStand } from './stand.ts';
import { type RedisCluster, startRedisCluster } from './start-redis-cluster.ts';

const LIMIT = 30;

let directory: string;
let cluster: RedisCluster;
const stand = useStand(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-redis-cluster-'));
  cluster = await startRedisCluster({ dataDir: directory, withReplicas: true });
  const limits = { workspace: { business: { mutation: 1_000_000 } }, address: { mutation: LIMIT } };
  const env = { REDIS_URL: cluster.url, REDIS_CLUSTER: 'true', RATE_LIMITS: JSON.stringify(limits) };
  return { gateways: 2, env };
});
afterAll(async () => {
  await cluster?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Sends calls at once, to both gateways in turn. */
function burst(
  count: number,
  key: string | undefined,
  path: string,
  workspaceId?: string,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      stand.callAt(stand.gateways[i % 2]!, 'POST', path, {
        ...(key && { key }),
        ...(workspaceId && { query: { workspaceId } }),
        body: { title: 'A draft' },
      }),
    ),
  );
}

/** Expects that exactly the limit has passed in each window that the answers fall into. */
function expectExact(answers: Answer[]): void {
  const windows = Map.groupBy(answers, (answer) => answer.headers['x-ratelimit-reset']);
  for (const window of windows.values()) {
    const passed = window.filter((answer) => answer.status !== 429).length;
    expect(passed).toBe(Math.min(LIMIT, window.length));
  }
}

/** Sends a burst with a new key, in the given workspace or in a new one. */
async function burstWithKey(workspaceId?: string): Promise<void> {
  const { key, principal } = stand.accounts.createKey(workspaceId ? { workspace_id: workspaceId } : {});
  expectExact(await burst(2 * LIMIT, key, '/quality', principal.workspace_id));
}

/** Returns a workspace whose counters are stored on the first master. */
async function workspaceOnFirstMaster(): Promise<string> {
  const client = createClient({ url: cluster.masters[0]!.url });
  await client.connect();
  try {
    for (;;) {
      const { key, principal } = stand.accounts.createKey();
      await burst(1, key, '/quality', principal.workspace_id);
      if ((await client.keys(`*${principal.workspace_id}*`)).length > 0) return principal.workspace_id;
    }
  } finally {
    client.destroy();
  }
}

/** Returns how many requests the first gateway has admitted by its own counters, without Redis. */
const decidedInMemory = () =>
  stand.metric('waymark_limiter_decisions_total', 'by="memory"', 'result="allowed"');

describe('two gateways on a Redis Cluster', () => {
  it('keep limits of keys exact', async () => {
    for (let i = 0; i < 8; i += 1) await burstWithKey();
    expect(await decidedInMemory()).toBe(0);
  });

  it('keep serving while a master fails, and count exactly again once its replica takes over', async () => {
    const workspaceId = await workspaceOnFirstMaster();
    const { key } = stand.accounts.createKey({ workspace_id: workspaceId });
    await cluster.masters[0]!.kill();
    for (let i = 0; i < 20; i += 1) {
      expect((await stand.call('GET', '/decisions', { key, query: { workspaceId } })).status).toBe(200);
    }
    await eventually(async () => {
      const before = await decidedInMemory();
      await burstWithKey(workspaceId);
      return (await decidedInMemory()) === before;
    });
  });

  // Must be last: it exhausts the bucket of the address, from which gateways then look up no unknown key.
  it('keep the limit of an address exact', async () => {
    expectExact(await burst(2 * LIMIT, undefined, '/auth/sign-in'));
  });
});
