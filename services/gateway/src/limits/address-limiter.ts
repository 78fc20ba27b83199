import type { Bucket, BucketLimits } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { LimitDecision } from '../exchange/rate-limit-headers.ts';
import { bucketPolicies, decide, secondsUntil, windowEnd } from './limit-decision.ts';
import type { Consume } from './window-limiter.ts';

/** Limits callers without valid credentials by network address; an IPv6 client by its /64. */
export interface AddressLimiter {
  consume(address: string, bucket: Bucket): Promise<LimitDecision>;
  /**
   * Returns the last decision that this replica knows and charges nothing, for answers that no bucket pays
   * for.
   */
  known(address: string, bucket: Bucket): LimitDecision;
}

const NETWORKS_MAX = 50_000;

/** `limits` are requests per window of `windowMs`; `now` returns Unix milliseconds. */
export function addressLimiter(options: {
  consume: Consume;
  keyOf: (network: string, bucket: Bucket) => string;
  limits: BucketLimits;
  windowMs: number;
  now: () => number;
}): AddressLimiter {
  const { keyOf, windowMs, now } = options;
  const policies = bucketPolicies([['address', options.limits]], windowMs / 1000);
  const decisions = new LRUCache<string, LimitDecision>({ max: NETWORKS_MAX });

  function lastOf(key: string, bucket: Bucket): LimitDecision {
    const nowMs = now();
    const last = decisions.get(key);
    if (last && last.resetAtMs > nowMs) {
      return { ...last, retryAfterSeconds: secondsUntil(last.resetAtMs, nowMs) };
    }
    const resetAtMs = windowEnd(nowMs, windowMs);
    return decide(policies[bucket], { refusing: -1, counts: [0], nowMs, resetAtMs });
  }

  return {
    async consume(address, bucket) {
      const key = keyOf(clientNetwork(address), bucket);
      const last = lastOf(key, bucket);
      // Redis is not asked again about an exhausted address.
      if (!last.allowed) return last;
      // Keeps no past windows, because no page shows the use of an address.
      const decision = await options.consume([key], policies[bucket], 0);
      decisions.set(key, decision);
      return decision;
    },
    known: (address, bucket) => lastOf(keyOf(clientNetwork(address), bucket), bucket),
  };
}
