import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@waymark/testing';
import { useOwnRedis } from './own-redis.ts';
import { startStand } from './stand.ts';

const own = useOwnRedis();
const { stand, isInsured, callEverything, backToRedis } = own;

describe('a killed Redis', () => {
  it('causes no refusals: each replica limits by itself, and uses Redis again when it is back', async () => {
    await backToRedis();
    await own.redis.kill();
    for (let i = 0; i < 5; i += 1) await callEverything();
    expect(await isInsured()).toBe(true);
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

    await own.redis.restart();
    await backToRedis();
  });
});

describe('a Redis that is stopped by SIGSTOP', () => {
  it('delays no request for long: after a few slow answers it is not asked until it answers promptly again', async () => {
    await backToRedis();
    process.kill(own.redis.pid, 'SIGSTOP');
    try {
      for (let i = 0; i < 3; i += 1) await callEverything();
      expect(await isInsured()).toBe(true);
    } finally {
      process.kill(own.redis.pid, 'SIGCONT');
    }
    await backToRedis();
  });
});

describe('a Redis that is away at the start', () => {
  it('does not prevent a gateway from starting', async () => {
    await using other = await startStand({ env: { REDIS_URL: 'redis://127.0.0.1:1' }, stores: ['nats'] });
    const { key } = other.accounts.createKey();
    const answer = await other.call('GET', '/whoami', { key });
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, '99']);
  });
});
