import { afterAll, describe, expect, it } from '@jest/globals';
import type { StoreProcess } from '@waymark/local-stack';
import { type Answer, eventually, testFolder } from '@waymark/testing';
import { observeRedis } from '../src/operator.ts';
import { useStand } from './stand.ts';
import { MASTER, onServer, type RedisSentinels, startRedisSentinels } from './start-redis-sentinels.ts';

const LIMIT = 30;
const PASSWORD = 'of-redis';
const SENTINEL_PASSWORD = 'of-sentinels';

let directory: string;
let redis: RedisSentinels;
let env: Record<string, string>;
const stand = useStand(async () => {
  directory = testFolder();
  redis = await startRedisSentinels({
    dataDir: directory,
    password: PASSWORD,
    sentinelPassword: SENTINEL_PASSWORD,
  });
  env = { REDIS_URL: `redis://:${PASSWORD}@${MASTER}`, REDIS_SENTINEL_URL: redis.url };
  const limits = { workspace: { business: { mutation: 1_000_000 } } };
  return { gateways: 2, env: { ...env, RATE_LIMITS: JSON.stringify(limits) } };
});
afterAll(async () => {
  await redis?.stop();
});

/** Sends twice the limit at once with a new key, and expects that exactly the limit passes in each window. */
async function expectExact(): Promise<void> {
  const { key, principal } = stand.accounts.createKey();
  const input = { key, query: { workspaceId: principal.workspace_id }, body: { title: 'A draft' } };
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, i) =>
      stand.callAt(stand.gateways[i % 2]!, 'POST', '/quality', input),
    ),
  );
  const windows = Map.groupBy(answers, (answer: Answer) => answer.headers['x-ratelimit-reset']);
  for (const window of windows.values())
    expect(window.filter(({ status }) => status !== 429).length).toBe(Math.min(LIMIT, window.length));
}

const decidedInMemory = async () => {
  const counts = stand.gateways.map((gateway) =>
    stand.metricAt(gateway, 'waymark_limiter_decisions_total', 'by="memory"', 'result="allowed"'),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Waits until Redis counts for both gateways. */
const exactAgain = () =>
  eventually(async () => {
    const before = await decidedInMemory();
    await expectExact();
    return (await decidedInMemory()) === before;
  });

const roleOf = (port: number) =>
  onServer(port, PASSWORD, (client) => client.sendCommand<string[]>(['ROLE'])).then(([role]) => role);

/** Waits until another server may replace this master. */
const replicated = ({ port }: StoreProcess) =>
  eventually(async () =>
    (await onServer(port, PASSWORD, (client) => client.info())).includes('state=online'),
  );

async function expectAnswers(): Promise<void> {
  const { key, principal } = stand.accounts.createKey();
  const query = { workspaceId: principal.workspace_id };
  for (let i = 0; i < 20; i += 1) {
    const { status } = await stand.callAt(stand.gateways[i % 2]!, 'GET', '/decisions', { key, query });
    expect(status).toBe(200);
  }
}

describe('two gateways with sentinels', () => {
  it('keep limits exact on the master', async () => {
    await exactAgain();
    expect(await roleOf(redis.master.port)).toBe('master');
  });

  it('count on the new master after a failover by an operator, which kills nobody', async () => {
    const [{ port }] = redis.sentinels as [(typeof redis.sentinels)[number]];
    await onServer(port, SENTINEL_PASSWORD, (client) => client.sendCommand(['SENTINEL', 'FAILOVER', MASTER]));
    await eventually(async () => (await roleOf(redis.master.port)) === 'slave');
    await exactAgain();
    expect(await roleOf(redis.replica.port)).toBe('master');
  });

  it('answer while the master hangs, and count on the replica that replaces it', async () => {
    await replicated(redis.replica);
    process.kill(redis.replica.pid, 'SIGSTOP');
    try {
      await expectAnswers();
      await eventually(async () => (await roleOf(redis.master.port)) === 'master');
      await exactAgain();
    } finally {
      process.kill(redis.replica.pid, 'SIGCONT');
    }
  });

  it('answer while the master and a sentinel are killed, and count on the replica that replaces it', async () => {
    await replicated(redis.master);
    await Promise.all([redis.master.kill(), redis.sentinels[0]!.process.kill()]);
    await expectAnswers();
    await eventually(async () => (await roleOf(redis.replica.port)) === 'master');
    await exactAgain();
  });

  it('are told to a doctor by sentinel and by master', async () => {
    const observed = await observeRedis(env);
    expect(observed).toMatchObject({
      [`sentinel 127.0.0.1:${redis.sentinels[0]!.port}`]: { away: expect.any(String) },
      [`sentinel 127.0.0.1:${redis.sentinels[1]!.port}`]: { version: expect.any(String) },
      [`127.0.0.1:${redis.replica.port}`]: { version: expect.any(String) },
    });
    const bare = await observeRedis({ ...env, REDIS_URL: `redis://${MASTER}` });
    expect(bare[`127.0.0.1:${redis.replica.port}`]).toEqual({ away: expect.stringContaining('NOAUTH') });
    const unknown = await observeRedis({ ...env, REDIS_URL: 'redis://other' });
    expect(unknown).toMatchObject({ other: { away: 'no sentinel knows its address' } });
  });
});
