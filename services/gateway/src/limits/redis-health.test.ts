import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, createMetrics } from '@waymark/service-kit/process';
import { createGatewayMetrics } from '../gateway-metrics.ts';
import { type RedisHealth, redisHealth } from './redis-health.ts';

const never = () => new Promise<string>(() => undefined);
const redisAnswers = async () => 'redis';
const memoryAnswers = async () => 'memory';
const TIMEOUT_MS = 20;
/** Longer than the timeout, and less than three times as long. */
const LATE_MS = 40;
async function late(answer: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  return answer;
}
/** Advances the fake clock. */
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

let probe: () => Promise<unknown> = never;
let reconnects = 0;
let health: RedisHealth;
function open() {
  reconnects = 0;
  health = redisHealth({
    timeoutMs: TIMEOUT_MS,
    probe: () => probe(),
    reconnect: () => {
      reconnects += 1;
    },
    metrics: createGatewayMetrics(createMetrics('gateway')),
    log: createLogger('test', 'silent'),
  });
  return health;
}
afterEach(() => {
  health.stop();
  jest.useRealTimers();
});

describe('Redis', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  it('is asked while it answers, and costs no timer while nothing is asked', async () => {
    open();
    expect(await health.withFallback(redisAnswers, memoryAnswers)).toBe('redis');
    expect(health.isAway()).toBe(false);
    await pass(10);
    // The process may have timers of others, which come and go between two steps: its own would go now.
    const timers = jest.getTimerCount();
    health.stop();
    expect(jest.getTimerCount()).toBe(timers);
  });

  it('that fails once is away until a probe is answered promptly', async () => {
    probe = redisAnswers;
    open();
    expect(await health.withFallback(() => Promise.reject(new Error('gone')), memoryAnswers)).toBe('memory');
    expect(health.isAway()).toBe(true);
    expect(await health.withFallback(redisAnswers, memoryAnswers)).toBe('memory');
    await pass(200);
    expect(health.isAway()).toBe(false);
    expect(await health.withFallback(redisAnswers, memoryAnswers)).toBe('redis');
  });

  it('that is slow once is waited for, because only it counts exactly', async () => {
    probe = never;
    open();
    const answer = health.withFallback(() => late('redis'), memoryAnswers);
    await pass(LATE_MS);
    expect(await answer).toBe('redis');
    expect(health.isAway()).toBe(false);
  });

  it('is away when it is slow three times in a row, but not if a prompt answer comes in between', async () => {
    probe = never;
    open();
    const slow = async () => {
      const answer = health.withFallback(() => late('redis'), memoryAnswers);
      await pass(LATE_MS);
      return answer;
    };
    for (let i = 0; i < 2; i += 1) expect(await slow()).toBe('redis');
    expect(await health.withFallback(redisAnswers, memoryAnswers)).toBe('redis');
    for (let i = 0; i < 2; i += 1) expect(await slow()).toBe('redis');
    expect(health.isAway()).toBe(false);
    expect(await slow()).toBe('redis');
    expect(health.isAway()).toBe(true);
    expect(await health.withFallback(redisAnswers, memoryAnswers)).toBe('memory');
  });

  it('counts as slow once, however many answers are late together', async () => {
    probe = never;
    open();
    const asked = Array.from({ length: 20 }, () => health.withFallback(() => late('redis'), memoryAnswers));
    await pass(LATE_MS);
    const answers = await Promise.all(asked);
    expect(new Set(answers)).toEqual(new Set(['redis']));
    expect(health.isAway()).toBe(false);
  });

  it('that does not answer delays a request by three times the timeout at most', async () => {
    probe = never;
    open();
    const asked = [1, 2].map(() => health.withFallback(never, memoryAnswers));
    await pass(3 * TIMEOUT_MS);
    expect(health.isAway()).toBe(false);
    await pass(10);
    expect(await Promise.all(asked)).toEqual(['memory', 'memory']);
    expect(health.isAway()).toBe(true);
  });

  it('does not count as slow when this process was busy', async () => {
    jest.useRealTimers();
    open();
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = health.withFallback(() => promise, memoryAnswers);
    // The answer has arrived, but the event loop is blocked for longer than the timeout.
    setImmediate(() => resolve('redis'));
    const busyUntilMs = performance.now() + 100;
    while (performance.now() < busyUntilMs);
    expect(await answer).toBe('redis');
  });

  it('gets a new connection when a probe is never answered', async () => {
    probe = never;
    open();
    health.lost(new Error('gone'));
    await pass(2_000);
    expect(reconnects).toBe(0);
    await pass(400);
    expect(reconnects).toBe(1);
    expect(health.isAway()).toBe(true);
  });
});
