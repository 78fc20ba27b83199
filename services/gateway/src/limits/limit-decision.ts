import type { Bucket, BucketLimits } from '@waymark/contracts';

export type TierName = 'key' | 'workspace' | 'session' | 'address';

/** The tiers that a caller consumes together, in the order of their Redis keys. */
export interface LimitPolicy {
  names: readonly TierName[];
  limits: readonly number[];
  /** The RateLimit-Policy header. */
  header: string;
}

/** What a limiter decided, and what the headers of every answer say of it. */
export interface LimitDecision {
  allowed: boolean;
  policy: LimitPolicy;
  /** Left in each tier of the policy, never below 0. */
  remaining: readonly number[];
  /** The tier that binds: the one that refuses, else the one with the fewest left. */
  binding: number;
  resetAtMs: number;
  retryAfterSeconds: number;
}

/** A policy over `tiers`, for requests a window of `windowSeconds`. */
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

/** Policies of one tier for every bucket. */
export function bucketPolicies(
  name: TierName,
  limits: BucketLimits,
  windowSeconds: number,
): Record<Bucket, LimitPolicy> {
  const policy = (bucket: Bucket) => limitPolicy([[name, limits[bucket]]], windowSeconds);
  return { read: policy('read'), export: policy('export'), mutation: policy('mutation') };
}

/** `refusing` is the index of the tier that refuses, or -1; `counts` are what each tier holds now. */
export function decide(
  policy: LimitPolicy,
  state: { refusing: number; counts: readonly number[]; nowMs: number; resetAtMs: number },
): LimitDecision {
  const remaining = policy.limits.map((limit, i) => Math.max(0, limit - (state.counts[i] ?? 0)));
  let binding = state.refusing;
  if (binding < 0) {
    binding = 0;
    for (let i = 1; i < remaining.length; i += 1) if (remaining[i]! < remaining[binding]!) binding = i;
  }
  return {
    allowed: state.refusing < 0,
    policy,
    remaining,
    binding,
    resetAtMs: state.resetAtMs,
    retryAfterSeconds: Math.max(1, Math.ceil((state.resetAtMs - state.nowMs) / 1000)),
  };
}

/** The end of the clock-aligned window that `nowMs` is in. */
export function windowEnd(nowMs: number, windowMs: number): number {
  return (Math.floor(nowMs / windowMs) + 1) * windowMs;
}
