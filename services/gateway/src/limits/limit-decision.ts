import { type Bucket, type BucketLimits, buckets } from '@waymark/contracts';
import type { LimitDecision, LimitPolicy, TierName } from '../http/rate-limit-headers.ts';

export function limitPolicy(
  tiers: readonly (readonly [name: TierName, limit: number])[],
  windowSeconds: number,
): LimitPolicy {
  return {
    names: tiers.map(([name]) => name),
    limits: tiers.map(([, limit]) => limit),
    header: tiers.map(([name, limit]) => `"${name}";q=${limit};w=${windowSeconds}`).join(', '),
  };
}

export function bucketPolicies(
  tiers: readonly (readonly [name: TierName, limits: BucketLimits])[],
  windowMs: number,
): Record<Bucket, LimitPolicy> {
  return recordOf(buckets, (bucket) => {
    const limits = tiers.map(([name, limits]) => [name, limits[bucket]] as const);
    return limitPolicy(limits, windowMs / 1000);
  });
}

export function recordOf<Name extends string, T>(names: readonly Name[], valueFor: (name: Name) => T) {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, T>;
}

/** `refusing` is the index of the refusing tier, or -1; `counts` has the requests of each tier. */
export function decide(
  policy: LimitPolicy,
  state: { refusing: number; counts: readonly number[]; nowMs: number; resetAtMs: number },
): LimitDecision {
  const remaining = policy.limits.map((limit, i) => Math.max(0, limit - (state.counts[i] ?? 0)));
  return {
    allowed: state.refusing < 0,
    policy,
    remaining,
    binding: state.refusing < 0 ? remaining.indexOf(Math.min(...remaining)) : state.refusing,
    resetAtMs: state.resetAtMs,
    retryAfterSeconds: secondsUntil(state.resetAtMs, state.nowMs),
  };
}

/** Returns whole seconds, at least 1, for Retry-After. */
export function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000));
}

/** The end of the clock-aligned window that contains `nowMs`. */
export function windowEnd(nowMs: number, windowMs: number): number {
  return (Math.floor(nowMs / windowMs) + 1) * windowMs;
}
