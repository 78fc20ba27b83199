import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { LimitDecision, LimitPolicy } from '../http/rate-limit-headers.ts';
import { decide, windowEnd } from './limit-decision.ts';
import type { Redis } from './redis.ts';
import type { RedisHealth } from './redis-health.ts';

export type Consume = ReturnType<typeof windowLimiter>;

export interface LimiterOptions {
  redis: Redis;
  health: RedisHealth;
  windowMs: number;
  now: () => number;
}

/** Limits exactly over all replicas while Redis answers, else exactly for each replica. */
export function windowLimiter(options: LimiterOptions, metrics: GatewayMetrics) {
  const { redis, health, windowMs, now } = options;
  const inMemory = memoryLimiter(windowMs, now);
  // Starts all series at 0, because a rate misses the first event of a series that does not exist yet.
  for (const by of ['redis', 'memory']) {
    for (const result of ['allowed', 'refused']) metrics.limiterDecisions.inc({ result, by }, 0);
  }

  function counted(by: 'redis' | 'memory', decision: LimitDecision): LimitDecision {
    metrics.limiterDecisions.inc({ result: decision.allowed ? 'allowed' : 'refused', by });
    return decision;
  }

  /** Charges `cost` to every tier of `policy`, or nothing. `pastWindows`: how many final counts are kept. */
  return (
    keys: readonly string[],
    policy: LimitPolicy,
    options: { cost?: number; pastWindows?: number } = {},
  ): Promise<LimitDecision> =>
    health.withFallback(
      async () => {
        const reply = await redis.consume(keys, windowMs, policy.limits, options);
        const [refusing = 0, nowMs = 0, ...counts] = reply;
        const resetAtMs = windowEnd(nowMs, windowMs);
        return counted('redis', decide(policy, { refusing: refusing - 1, counts, nowMs, resetAtMs }));
      },
      async () => counted('memory', inMemory(keys, policy, options.cost)),
    );
}

/** Limits this replica by itself, at the full limit, in the same windows and by the same rules as Redis. */
export function memoryLimiter(windowMs: number, now: () => number) {
  const counts = new Map<string, number>();
  let countsEndMs = 0;
  const countOf = (key: string) => counts.get(key) ?? 0;

  return (keys: readonly string[], policy: LimitPolicy, cost = 1): LimitDecision => {
    const nowMs = now();
    const resetAtMs = windowEnd(nowMs, windowMs);
    // When the clock is set back by more than a window, its counts must not last until their time returns.
    if (resetAtMs > countsEndMs || resetAtMs < countsEndMs - windowMs) {
      counts.clear();
      countsEndMs = resetAtMs;
    }
    const refusing = keys.findIndex((key, i) => countOf(key) + cost > policy.limits[i]!);
    if (refusing < 0) for (const key of keys) counts.set(key, countOf(key) + cost);
    return decide(policy, { refusing, counts: keys.map(countOf), nowMs, resetAtMs });
  };
}
