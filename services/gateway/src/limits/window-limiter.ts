import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
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
  const counters = {
    redis: counterPair(metrics, 'redis'),
    memory: counterPair(metrics, 'memory'),
  };

  async function inRedis(keys: readonly string[], policy: LimitPolicy): Promise<LimitDecision> {
    const reply = await redis.consume(keys, windowMs, policy.limits);
    const [refusing = 0, nowMs = 0] = reply;
    const resetAtMs = windowEnd(nowMs, windowMs);
    const decision = decide(policy, { refusing: refusing - 1, counts: reply.slice(2), nowMs, resetAtMs });
    counters.redis[decision.allowed ? 'allowed' : 'refused'].inc();
    return decision;
  }

  async function insured(keys: readonly string[], policy: LimitPolicy): Promise<LimitDecision> {
    const decision = await inMemory(keys, policy);
    counters.memory[decision.allowed ? 'allowed' : 'refused'].inc();
    return decision;
  }

  return (keys, policy) =>
    health.within(
      () => inRedis(keys, policy),
      () => insured(keys, policy),
    );
}

/** Both begin at 0: a rate over a series that is not there yet misses its first event. */
function counterPair({ limiterDecisions }: GatewayMetrics, by: 'redis' | 'memory') {
  const pair = {
    allowed: limiterDecisions.labels('allowed', by),
    refused: limiterDecisions.labels('refused', by),
  };
  pair.allowed.inc(0);
  pair.refused.inc(0);
  return pair;
}
