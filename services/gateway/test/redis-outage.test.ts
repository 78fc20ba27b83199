import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StoreProcess, startStores } from '@waymark/local-stack';
import { type Answer, eventually, patience } from '@waymark/testing';
import { type Stand, startStand } from './stand.ts';

/** Far shorter than a hang, and far longer than a busy machine needs. */
const PROMPT_MS = patience(15_000);

let dataDir: string;
let redis: StoreProcess;
let stand: Stand;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waymark-gateway-'));
  const { MONGODB_URL, NATS_URL } = process.env;
  // Only the URL of Redis is missing from this environment, so only Redis is started.
  const env = { MONGODB_URL, NATS_URL };
  const stores = await startStores({ dataDir, log: () => {}, env });
  redis = stores.redis!;
  stand = await startStand({
    gateways: 2,
    env: {
      REDIS_URL: redis.url,
      REDIS_TIMEOUT_MS: '200',
      RATE_LIMITS: JSON.stringify({ session: { read: 1_000 }, address: { read: 10_000 } }),
    },
  });
});
afterAll(async () => {
  await stand.stop();
  await redis.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes a call of every kind; the outage must affect none of them. */
async function callEverything(): Promise<Answer[]> {
  const { key, principal } = stand.accounts.createKey();
  const { cookie } = stand.accounts.createSession();
  const query = { workspaceId: principal.workspace_id };
  const answers: Answer[] = [];
  for (const gateway of stand.gateways) {
    const call = (method: string, path: string, input: object) => stand.callAt(gateway, method, path, input);
    const startedAt = performance.now();
    answers.push(
      await call('GET', '/decisions', { key, query }),
      await call('POST', '/quality', { key, query, body: {} }),
      await call('GET', '/whoami', { cookie }),
      await call('GET', '/changelog', {}),
    );
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
  }
  return answers;
}

const statuses = (answers: Answer[]) => [...new Set(answers.map((answer) => answer.status))];
const isInsured = () => stand.metric('waymark_limiter_insurance');

async function backToRedis(): Promise<void> {
  await eventually(async () => {
    expect(statuses(await callEverything())).toEqual([200]);
    expect(await isInsured()).toBe(0);
  });
}

describe('a killed Redis', () => {
  it('causes no refusals: each replica limits by itself, and uses Redis again when it is back', async () => {
    await backToRedis();
    await redis.kill();
    for (let i = 0; i < 5; i += 1) expect(statuses(await callEverything())).toEqual([200]);
    expect(await isInsured()).toBe(1);
    expect(await stand.metric('waymark_limiter_decisions_total', 'by="memory"')).toBeGreaterThan(0);

    // Each replica applies the full limit: 30 mutations pass, and the next is refused with the same headers.
    const { key, principal } = stand.accounts.createKey();
    const mutate = () =>
      stand.call('POST', '/quality', { key, query: { workspaceId: principal.workspace_id }, body: {} });
    let answers: Answer[];
    do {
      answers = await Promise.all(Array.from({ length: 70 }, mutate));
    } while (!answers.some((answer) => answer.status === 429));
    for (const window of Map.groupBy(answers, (answer) => answer.headers['x-ratelimit-reset']).values()) {
      expect(window.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(30);
    }
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(refused.headers['ratelimit-policy']).toBe('"key";q=30;w=60, "workspace";q=90;w=60');
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');

    await redis.restart();
    await backToRedis();
  });
});

describe('a Redis that is stopped by SIGSTOP', () => {
  it('delays no request for long: after a few slow answers it is not asked until it answers promptly again', async () => {
    await backToRedis();
    process.kill(redis.pid, 'SIGSTOP');
    try {
      for (let i = 0; i < 3; i += 1) expect(statuses(await callEverything())).toEqual([200]);
      expect(await isInsured()).toBe(1);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await backToRedis();
  });

  it('is used again even if the connection has been replaced meanwhile', async () => {
    await backToRedis();
    process.kill(redis.pid, 'SIGSTOP');
    try {
      await callEverything();
      expect(await isInsured()).toBe(1);
      const stoppedAt = performance.now();
      // Twice the limit of a probe: meanwhile the gateway reconnects to a server that still does not answer.
      await eventually(async () => {
        expect(statuses(await callEverything())).toEqual([200]);
        return performance.now() - stoppedAt > 4_500;
      });
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await backToRedis();
  });
});

describe('a Redis that is away at the start', () => {
  it('does not prevent a gateway from starting', async () => {
    const other = await startStand({ env: { REDIS_URL: 'redis://127.0.0.1:1' }, stores: ['nats'] });
    try {
      const { key } = other.accounts.createKey();
      const answer = await other.call('GET', '/whoami', { key });
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, '99']);
    } finally {
      await other.stop();
    }
  });
});
