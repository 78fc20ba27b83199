import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit/process';
import { testEnvironment } from '@waymark/testing';
import fc from 'fast-check';
import { createClient } from 'redis';
import { limitPolicy, windowEnd } from '../src/limits/limit-decision.ts';
import { openRedis } from '../src/limits/redis.ts';
import { redisServersOf } from '../src/limits/redis-servers.ts';
import { memoryLimiter } from '../src/limits/window-limiter.ts';

const WINDOW_MS = 2_000;

const REDIS_URL = String(testEnvironment().REDIS_URL);
const client = createClient({ url: REDIS_URL });
await client.connect();
const redis = openRedis({
  servers: redisServersOf(REDIS_URL),
  cluster: false,
  log: createLogger('test', 'silent'),
});
await redis.connected(5_000);
afterAll(() => {
  redis.close();
  client.destroy();
});

/** Stores a counter directly, without the script. */
const put = (key: string, value: string) => client.set(key, value);

/** A model of the script: it charges all tiers or none, and counts from zero in each window. */
function model() {
  const counts = new Map<string, number>();
  let windowEndMs = 0;
  return (keys: string[], limits: number[], cost: number, nowMs: number) => {
    if (windowEnd(nowMs, WINDOW_MS) !== windowEndMs) counts.clear();
    windowEndMs = windowEnd(nowMs, WINDOW_MS);
    const before = keys.map((key) => counts.get(key) ?? 0);
    const refusing = limits.findIndex((limit, i) => before[i]! + cost > limit) + 1;
    if (refusing === 0) for (const [i, key] of keys.entries()) counts.set(key, before[i]! + cost);
    return { refusing, counts: keys.map((key) => counts.get(key) ?? 0) };
  };
}

const call = fc.record({
  tiers: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
  limits: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 3 }),
  cost: fc.integer({ min: 1, max: 4 }),
});

describe('the limiter script', () => {
  it('agrees with the model for any order of callers and limits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
        const tag = `{test:${newId()}}`;
        const expected = model();
        for (const { tiers, limits, cost } of calls) {
          const keys = tiers.map((tier) => `${tag}:${tier}`);
          const limitsOfTiers = limits.slice(0, keys.length);
          const [refusing, nowMs, ...counts] = await redis.consume(keys, WINDOW_MS, limitsOfTiers, {
            cost,
          });
          expect({ refusing, counts }).toEqual(expected(keys, limitsOfTiers, cost, nowMs!));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('admits exactly the limit of concurrent requests, whatever they cost', async () => {
    const [key, other] = [`{test:${newId()}}:key`, `{test:${newId()}}:key`];
    for (const costOf of [() => 1, (i: number) => (i % 10) + 1]) {
      const own = `${key}:${costOf(1)}`;
      const costs = Array.from({ length: 300 }, (_, i) => costOf(i));
      const replies = await Promise.all(
        costs.map((cost) => redis.consume([own], 3_600_000, [123], { cost })),
      );
      const admitted = costs.filter((_, i) => replies[i]![0] === 0);
      expect(admitted.reduce((sum, cost) => sum + cost, 0)).toBe(123);
      expect(replies.every(([, , count]) => count! <= 123)).toBe(true);
    }
    expect((await redis.consume([other], 3_600_000, [123]))[2]).toBe(1);
  });

  it('counts beyond 2^20, because a scaled limit can be larger', async () => {
    const key = `{test:${newId()}}:key`;
    const windowMs = 3_600_000;
    const [, nowMs] = await redis.consume([key], windowMs, [10]);
    const stamp = (Math.floor(nowMs! / windowMs) % 2 ** 20) * 2 ** 32;
    await put(key, String(stamp + 3_000_000));
    const [refusing, , count] = await redis.consume([key], windowMs, [4_000_000]);
    expect([refusing, count]).toEqual([0, 3_000_001]);
  });

  it('keeps the current window of every tier when the clock steps back', async () => {
    const windowMs = 3_600_000;
    const tag = `{test:${newId()}}`;
    const [key, all] = [`${tag}:key`, `${tag}:all`];
    const [, nowMs] = await redis.consume([key, all], windowMs, [5, 9]);
    const nextMs = windowEnd(nowMs!, windowMs);
    await put(all, String(((nextMs / windowMs) % 2 ** 20) * 2 ** 32 + 7));
    const replies: number[][] = [];
    for (let i = 0; i < 3; i += 1) replies.push(await redis.consume([key, all], windowMs, [5, 9]));
    expect(replies).toEqual([
      [0, nextMs, 1, 8],
      [0, nextMs, 2, 9],
      [2, nextMs, 2, 9],
    ]);
  });

  it('reads a key of an older window as zero, however long the key stays', async () => {
    const key = `{test:${newId()}}:key`;
    const [, nowMs] = await redis.consume([key], WINDOW_MS, [1]);
    const window = Math.floor(nowMs! / WINDOW_MS) % 2 ** 20;
    for (const other of [window - 1, window - 1_000, window + 7]) {
      await put(key, String(other * 2 ** 32 + 99));
      const [refusing, , count] = await redis.consume([key], WINDOW_MS, [1]);
      expect([refusing, count]).toEqual([0, 1]);
    }
  });

  it('keeps the final counts of past windows only if the caller asks for them', async () => {
    const [kept, dropped] = [`{test:${newId()}}:key`, `{test:${newId()}}:key`];
    for (const key of [kept, dropped]) await put(key, String(7));
    await redis.consume([kept], WINDOW_MS, [5]);
    await redis.consume([dropped], WINDOW_MS, [5], { pastWindows: 0 });
    expect([(await redis.counters(kept)).at(1), await redis.counters(dropped)]).toEqual([
      '7',
      [expect.any(String)],
    ]);
    expect(await client.pTTL(dropped)).toBeLessThanOrEqual(WINDOW_MS);
  });
});

describe('the limiter in memory', () => {
  it('begins a new window when its clock is set back by an hour, and none when by a second', () => {
    let nowMs = 1_800_000_000_500;
    const consume = memoryLimiter(WINDOW_MS, () => nowMs);
    const policy = limitPolicy([['key', 1]], WINDOW_MS / 1000);
    const isAllowed = () => consume(['a'], policy).allowed;
    expect([isAllowed(), isAllowed()]).toEqual([true, false]);
    nowMs -= 1_000;
    expect(isAllowed()).toBe(false);
    nowMs -= 3_600_000;
    expect([isAllowed(), isAllowed()]).toEqual([true, false]);
  });

  it('agrees with the model', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), (calls) => {
        const nowMs = 1_800_000_000_500;
        const consume = memoryLimiter(WINDOW_MS, () => nowMs);
        const expected = model();
        const limitOf: Record<string, number> = { a: 3, b: 2, c: 4, d: 1 };
        for (const { tiers, cost } of calls) {
          const policy = limitPolicy(
            tiers.map((tier) => ['key', limitOf[tier]!] as const),
            WINDOW_MS / 1000,
          );
          const decision = consume(tiers, policy, cost);
          const { refusing, counts } = expected(tiers, [...policy.limits], cost, nowMs);
          expect(decision.allowed).toBe(refusing === 0);
          expect(decision.remaining).toEqual(counts.map((count, i) => policy.limits[i]! - count));
          if (refusing > 0) expect(decision.binding).toBe(refusing - 1);
        }
      }),
      { numRuns: 100 },
    );
  });
});
