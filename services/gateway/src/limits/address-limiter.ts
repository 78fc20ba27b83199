import type { Bucket, BucketLimits } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { bucketPolicies, decide, type LimitDecision, windowEnd } from './limit-decision.ts';
import type { Redis } from './redis.ts';
import type { RedisHealth } from './redis-health.ts';

/** Limits callers without valid credentials by network address; an IPv6 client by its /64. */
export interface AddressLimiter {
  consume(address: string, bucket: Bucket): Promise<LimitDecision>;
  /** What this replica knows of an address without asking or charging: for answers that are charged to nobody. */
  known(address: string, bucket: Bucket): LimitDecision;
}

const NETWORKS_MAX = 50_000;

/** `limits` are requests a window of `windowMs`; `now` gives Unix milliseconds. */
export function addressLimiter(options: {
  redis: Redis;
  health: RedisHealth;
  prefix: string;
  limits: BucketLimits;
  windowMs: number;
  now: () => number;
}): AddressLimiter {
  const { health, limits, windowMs, now } = options;
  const policies = bucketPolicies('address', limits, windowMs / 1000);
  const seen = new LRUCache<string, { count: number; resetAtMs: number }>({ max: NETWORKS_MAX });

  function limitersOf(bucket: Bucket) {
    const common = {
      keyPrefix: `${options.prefix}:address:${bucket}`,
      points: limits[bucket],
      duration: windowMs / 1000,
    };
    const redis = new RateLimiterRedis({
      ...common,
      storeClient: options.redis.client,
      useRedisPackage: true,
      // An exhausted address costs Redis nothing more.
      inMemoryBlockOnConsumed: limits[bucket],
    });
    return { redis, memory: new RateLimiterMemory(common) };
  }
  const limiters = {
    read: limitersOf('read'),
    export: limitersOf('export'),
    mutation: limitersOf('mutation'),
  };

  function decideFrom(bucket: Bucket, count: number, resetAtMs: number): LimitDecision {
    const refusing = count > limits[bucket] ? 0 : -1;
    return decide(policies[bucket], { refusing, counts: [count], nowMs: now(), resetAtMs });
  }

  return {
    async consume(address, bucket) {
      const network = clientNetwork(address);
      const nowMs = now();
      const untilReset = { customDuration: Math.ceil((windowEnd(nowMs, windowMs) - nowMs) / 1000) };
      const { redis, memory } = limiters[bucket];
      const taken = await health.within(
        () => take(redis, network, untilReset),
        () => take(memory, network, untilReset),
      );
      // A block remembered in process comes without a count.
      const count = taken.isRefused ? limits[bucket] + 1 : taken.result.consumedPoints;
      const resetAtMs = now() + taken.result.msBeforeNext;
      seen.set(`${bucket}/${network}`, { count, resetAtMs });
      return decideFrom(bucket, count, resetAtMs);
    },
    known(address, bucket) {
      const last = seen.get(`${bucket}/${clientNetwork(address)}`);
      if (last && last.resetAtMs > now()) return decideFrom(bucket, last.count, last.resetAtMs);
      return decideFrom(bucket, 0, windowEnd(now(), windowMs));
    },
  };
}

async function take(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  options: { customDuration: number },
): Promise<{ result: RateLimiterRes; isRefused: boolean }> {
  try {
    return { result: await limiter.consume(key, 1, options), isRefused: false };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { result: refusal, isRefused: true };
    throw refusal;
  }
}
