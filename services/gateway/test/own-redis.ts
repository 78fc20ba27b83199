import { afterAll, expect } from '@jest/globals';
import { type StoreProcess, startStores } from '@waymark/local-stack';
import { type Answer, eventually, patience, testFolder } from '@waymark/testing';
import { type Stand, useStand } from './stand.ts';

/** Far shorter than a hang, and far longer than a busy machine needs. */
const PROMPT_MS = patience(15_000);

export interface OwnRedis {
  stand: Stand;
  /** Set before the first test. */
  redis: StoreProcess;
  /** Whether the first gateway limits by itself. */
  isInsured(): Promise<boolean>;
  /** Makes a call of every kind at both gateways. An outage must affect none of them. */
  callEverything(): Promise<void>;
  /** Waits until the first gateway uses Redis. */
  backToRedis(): Promise<void>;
}

/** Two gateways with a Redis of their own, which the tests of a file stop. */
export function useOwnRedis(): OwnRedis {
  const dataDir = testFolder();
  const own = {} as OwnRedis;
  const stand = useStand(async () => {
    const { MONGODB_URL, NATS_URL } = process.env;
    // Only the URL of Redis is missing from this environment, so only Redis is started.
    const stores = await startStores({ dataDir, log: () => {}, env: { MONGODB_URL, NATS_URL } });
    own.redis = stores.redis!;
    const limits = { session: { read: 1_000 }, address: { read: 10_000 } };
    const env = { REDIS_TIMEOUT_MS: '200', RATE_LIMITS: JSON.stringify(limits) };
    return { gateways: 2, env: { ...env, REDIS_URL: own.redis.url } };
  });
  afterAll(async () => {
    await own.redis.kill();
  });

  const isInsured = async () => (await stand.metric('waymark_limiter_insurance')) === 1;
  async function callEverything(): Promise<void> {
    const { key, principal } = stand.accounts.createKey();
    const { cookie } = stand.accounts.createSession();
    const query = { workspaceId: principal.workspace_id };
    for (const gateway of stand.gateways) {
      const call = (method: string, path: string, input: object) =>
        stand.callAt(gateway, method, path, input);
      const startedAt = performance.now();
      const answers: Answer[] = [
        await call('GET', '/decisions', { key, query }),
        await call('POST', '/quality', { key, query, body: {} }),
        await call('GET', '/whoami', { cookie }),
        await call('GET', '/changelog', {}),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
    }
  }
  return Object.assign(own, {
    stand,
    isInsured,
    callEverything,
    backToRedis: () =>
      eventually(async () => {
        await callEverything();
        return !(await isInsured());
      }) as Promise<unknown> as Promise<void>,
  });
}
