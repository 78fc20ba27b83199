import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@waymark/service-kit';
import { eventually } from '@waymark/testing';
import { Registry } from 'prom-client';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { type RedisHealth, redisHealth } from './redis-health.ts';

const never = () => new Promise<string>(() => undefined);
const redisAnswers = async () => 'redis';
const memoryAnswers = () => 'memory';

let probe: () => Promise<unknown> = never;
let reconnects = 0;
let health: RedisHealth;
function open() {
  reconnects = 0;
  health = redisHealth({
    timeoutMs: 20,
    probe: () => probe(),
    reconnect: () => {
      reconnects += 1;
    },
    metrics: createGatewayMetrics(new Registry()),
    log: createLogger('test', 'silent'),
  });
  return health;
}
afterEach(() => health.stop());

describe('Redis', () => {
  it('is asked while it answers', async () => {
    open();
    expect(await health.within(redisAnswers, memoryAnswers)).toBe('redis');
    expect(health.isAway()).toBe(false);
  });

  it('that fails once is away until a probe is answered', async () => {
    probe = never;
    open();
    expect(await health.within(() => Promise.reject(new Error('gone')), memoryAnswers)).toBe('memory');
    expect(health.isAway()).toBe(true);
    expect(await health.within(redisAnswers, memoryAnswers)).toBe('memory');
  });

  it('comes back with a prompt probe', async () => {
    probe = redisAnswers;
    open();
    health.lost(new Error('gone'));
    await eventually(() => !health.isAway());
    expect(await health.within(redisAnswers, memoryAnswers)).toBe('redis');
  });

  it('is away after three slow answers in a row, not after two and a prompt one', async () => {
    probe = never;
    open();
    for (let i = 0; i < 2; i += 1) expect(await health.within(never, memoryAnswers)).toBe('memory');
    expect(await health.within(redisAnswers, memoryAnswers)).toBe('redis');
    for (let i = 0; i < 2; i += 1) expect(await health.within(never, memoryAnswers)).toBe('memory');
    expect(health.isAway()).toBe(false);
    expect(await health.within(never, memoryAnswers)).toBe('memory');
    expect(health.isAway()).toBe(true);
  });

  it('is not slow because this process was busy', async () => {
    open();
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = health.within(() => promise, memoryAnswers);
    // The answer is there, but the event loop does not get to it for longer than the timeout.
    setImmediate(() => resolve('redis'));
    const busyUntilMs = performance.now() + 100;
    while (performance.now() < busyUntilMs);
    expect(await answer).toBe('redis');
  });

  it('gets a new connection when a probe is never answered', async () => {
    probe = never;
    open();
    health.lost(new Error('gone'));
    await eventually(() => reconnects === 1, 5_000);
    expect(health.isAway()).toBe(true);
  });
});
