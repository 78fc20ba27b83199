import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { type Answer, eventually, testFolder } from '@waymark/testing';
import { limitKeys } from '../src/limits/rate-limit.ts';
import { useStand } from './stand.ts';
import { type RedisCluster, startRedisCluster } from './start-redis-cluster.ts';

const LIMIT = 30;
/** Less than what the keys of a workspace may have together. */
const WORKSPACE_LIMIT = 75;
const KEYS = 4;

let directory: string;
let cluster: RedisCluster;
const stand = useStand(async () => {
  directory = testFolder();
  cluster = await startRedisCluster({ dataDir: directory, withReplicas: true });
  const limits = {
    key: { business: { mutation: LIMIT } },
    workspace: { business: { mutation: WORKSPACE_LIMIT } },
    address: { mutation: LIMIT },
  };
  const env = { REDIS_URL: cluster.url, REDIS_CLUSTER: 'true', RATE_LIMITS: JSON.stringify(limits) };
  return { gateways: 2, env };
});
afterAll(async () => {
  await cluster?.stop();
});

interface Sent {
  key: string | undefined;
  answer: Answer;
}

/** Sends more calls than its limit allows with each key, or without one, all at once, to both gateways. */
function burst(keys: (string | undefined)[], path: string, query = {}): Promise<Sent[]> {
  const calls = Array.from({ length: LIMIT + 10 }, (_, i) => keys.map((key) => ({ key, i })));
  return Promise.all(
    calls.flat().map(async ({ key, i }) => {
      const body = { title: 'A draft' };
      return { key, answer: await stand.callAt(stand.gateways[i % 2]!, 'POST', path, { key, query, body }) };
    }),
  );
}

/** Expects that exactly the limits have passed in each window that the answers fall into. */
function expectExact(sent: Sent[]): void {
  const windows = Map.groupBy(sent, ({ answer }) => answer.headers['x-ratelimit-reset']);
  for (const window of windows.values()) {
    const callers = [...Map.groupBy(window, ({ key }) => key).values()];
    const allowed = callers.reduce((sum, { length }) => sum + Math.min(LIMIT, length), 0);
    const passed = window.filter(({ answer }) => answer.status !== 429).length;
    expect(passed).toBe(Math.min(WORKSPACE_LIMIT, allowed));
  }
}

/** Sends a burst with several new keys of the workspace. */
async function burstOfWorkspace(workspaceId: string): Promise<void> {
  const keys = Array.from(
    { length: KEYS },
    () => stand.accounts.createKey({ workspace_id: workspaceId }).key,
  );
  expectExact(await burst(keys, '/quality', { workspaceId }));
}

/** Returns a new workspace whose counters are stored on the first master. */
async function workspaceOnFirstMaster(): Promise<string> {
  const keys = limitKeys(String(stand.env['REDIS_PREFIX']));
  for (;;) {
    const id = newId();
    if ((await cluster.masterOf(keys.workspace(id, 'mutation'))) === cluster.masters[0]) return id;
  }
}

/** Returns how many requests the first gateway has admitted by its own counters, without Redis. */
const decidedInMemory = () =>
  stand.metric('waymark_limiter_decisions_total', 'by="memory"', 'result="allowed"');

describe('two gateways on a Redis Cluster', () => {
  it('keep the limits of keys and of their workspace exact', async () => {
    for (let i = 0; i < 4; i += 1) await burstOfWorkspace(newId());
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
      // In a new workspace: nothing else is counted there.
      await burstOfWorkspace(await workspaceOnFirstMaster());
      return (await decidedInMemory()) === before;
    });
  });

  // Must be last: it exhausts the bucket of the address, from which gateways then look up no unknown key.
  it('keep the limit of an address exact', async () => {
    expectExact(await burst([undefined], '/auth/sign-in'));
  });
});
