import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot, type RedisCluster, startRedisCluster } from '@waymark/local-stack';
import { type Answer, eventually } from '@waymark/testing';
import { type Stand, startStand } from './stand.ts';

const LIMIT = 30;

let directory: string;
let cluster: RedisCluster;
let stand: Stand;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-redis-cluster-'));
  cluster = await startRedisCluster({ root: findRepositoryRoot(), dataDir: directory, withReplica: true });
  const limits = { workspace: { business: { mutation: 1_000_000 } }, address: { mutation: LIMIT } };
  stand = await startStand({
    gateways: 2,
    env: { REDIS_URL: cluster.url, REDIS_CLUSTER: 'true', RATE_LIMITS: JSON.stringify(limits) },
  });
}, 90_000);
afterAll(async () => {
  await stand?.stop();
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

/** In each window that the answers fall into, exactly the limit has passed. */
function expectExact(answers: Answer[]): void {
  const windows = Map.groupBy(answers, (answer) => answer.headers['x-ratelimit-reset']);
  for (const window of windows.values()) {
    const passed = window.filter((answer) => answer.status !== 429).length;
    expect(passed).toBe(Math.min(LIMIT, window.length));
  }
}

/** Bursts with keys of workspaces of their own: enough of them to lie on every master. */
async function burstWithKeys(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const { key, principal } = stand.accounts.createKey();
    expectExact(await burst(2 * LIMIT, key, '/quality', principal.workspace_id));
  }
}

const isOnRedis = async () => (await stand.metric('waymark_limiter_insurance')) === 0;

describe('two gateways on a Redis Cluster', () => {
  it('keep limits of keys and of addresses exact', async () => {
    await burstWithKeys(8);
    expectExact(await burst(2 * LIMIT, undefined, '/auth/sign-in'));
    // Not one of them was decided in process: a counter that was never raised is not shown.
    expect(await stand.metric('waymark_limiter_decisions_total', 'by="memory"')).toBeNaN();
  }, 60_000);

  it('keep serving while a master fails, and are exact again with its replica', async () => {
    const { key, principal } = stand.accounts.createKey();
    await cluster.masters[0]!.kill();
    for (let i = 0; i < 20; i += 1) {
      const query = { workspaceId: principal.workspace_id };
      expect((await stand.call('GET', '/decisions', { key, query })).status).toBe(200);
    }
    await eventually(async () => {
      await burstWithKeys(1);
      return await isOnRedis();
    }, 40_000);
    await burstWithKeys(8);
  }, 120_000);
});
