import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import type { LimitDecision, LimitPolicy } from '../exchange/rate-limit-headers.ts';
import { decide, windowEnd } from './limit-decision.ts';
import { PAST_WINDOWS } from './limiter-script.ts';
import { memoryLimiter } from './memory-limiter.ts';
import type { Redis } from './redis.ts';
import type { RedisHealth } from './redis-health.ts';

/** Charges every tier of `policy`, or none. `pastWindows` is how many final counts are kept. */
export type Consume = (
  keys: readonly string[],
  policy: LimitPolicy,
  pastWindows?: number,
) => Promise<LimitDecision>;

/** The only limiter: exact over all replicas while Redis answers, else exact for each replica. */
export function windowLimiter(options: {
  redis: Redis;
  health: RedisHealth;
  windowMs: number;
  now: () => number;
  metrics: GatewayMetrics;
}): Consume {
  const { redis, health, windowMs, metrics } = options;
  const inMemory = memoryLimiter(windowMs, options.now);
  const counters = { redis: counterPair(metrics, 'redis'), memory: counterPair(metrics, 'memory') };

  function counted(by: 'redis' | 'memory', decision: LimitDecision): LimitDecision {
    counters[by][decision.allowed ? 'allowed' : 'refused'].inc();
    return decision;
  }

  return (keys, policy, pastWindows = PAST_WINDOWS) =>
    health.withFallback(
      async () => {
        const reply = await redis.consume(keys, windowMs, policy.limits, pastWindows);
        const [refusing = 0, nowMs = 0, ...counts] = reply;
        const resetAtMs = windowEnd(nowMs, windowMs);
        return counted('redis', decide(policy, { refusing: refusing - 1, counts, nowMs, resetAtMs }));
      },
      async () => counted('memory', inMemory(keys, policy)),
    );
}

/** Starts both series at 0, because a rate misses the first event of a series that does not exist yet. */
function counterPair({ limiterDecisions }: GatewayMetrics, by: 'redis' | 'memory') {
  const pair = {
    allowed: limiterDecisions.labels('allowed', by),
    refused: limiterDecisions.labels('refused', by),
  };
  pair.allowed.inc(0);
  pair.refused.inc(0);
  return pair;
}
