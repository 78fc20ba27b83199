import type { GatewayMetrics } from './gateway-metrics.ts';
import { decide, type LimitDecision, type LimitPolicy, windowEnd } from './limit-decision.ts';
import { type Consume, memoryLimiter } from './memory-limiter.ts';
import type { Redis } from './redis.ts';
import type { RedisHealth } from './redis-health.ts';

/** The limiter of keys and sessions: exact over all replicas while Redis answers, by replica while it does not. */
export function windowLimiter(options: {
  redis: Redis;
  health: RedisHealth;
  windowMs: number;
  now: () => number;
  metrics: GatewayMetrics;
}): Consume {
  const { redis, health, windowMs, metrics } = options;
  const inMemory = memoryLimiter(windowMs, options.now);

  async function inRedis(keys: readonly string[], policy: LimitPolicy): Promise<LimitDecision> {
    const [refusing = 0, nowMs = 0, ...counts] = await redis.consume(keys, windowMs, policy.limits);
    const resetAtMs = windowEnd(nowMs, windowMs);
    const decision = decide(policy, { refusing: refusing - 1, counts, nowMs, resetAtMs });
    metrics.limiterDecisions.inc({ result: decision.allowed ? 'allowed' : 'refused', by: 'redis' });
    return decision;
  }

  async function insured(keys: readonly string[], policy: LimitPolicy): Promise<LimitDecision> {
    const decision = await inMemory(keys, policy);
    metrics.limiterDecisions.inc({ result: decision.allowed ? 'allowed' : 'refused', by: 'memory' });
    return decision;
  }

  return (keys, policy) =>
    health.within(
      () => inRedis(keys, policy),
      () => insured(keys, policy),
    );
}
