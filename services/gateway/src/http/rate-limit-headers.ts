import { headers } from '@waymark/contracts';

export type TierName = 'key' | 'workspace' | 'session' | 'address';

/** The tiers that a request is charged to together, in the order of their Redis keys. */
export interface LimitPolicy {
  names: readonly TierName[];
  limits: readonly number[];
  header: string;
}

/** The decision of a limiter, which the headers of every response show. */
export interface LimitDecision {
  allowed: boolean;
  policy: LimitPolicy;
  /** Requests left in each tier of the policy, never below 0. */
  remaining: readonly number[];
  /** The index of the tier that refuses, else of the tier with the fewest requests left. */
  binding: number;
  resetAtMs: number;
  retryAfterSeconds: number;
}

/**
 * X-RateLimit-* for the binding tier, and RateLimit with RateLimit-Policy for all, the binding one first
 * (draft-ietf-httpapi-ratelimit-headers), as a flat list of names and values.
 */
export function rateLimitHeaders(decision: LimitDecision): string[] {
  const { policy, remaining, binding, retryAfterSeconds } = decision;
  const item = (i: number) => `"${policy.names[i]}";r=${remaining[i]};t=${retryAfterSeconds}`;
  let rateLimit = item(binding);
  for (let i = 0; i < remaining.length; i += 1) if (i !== binding) rateLimit += `, ${item(i)}`;
  return [
    ...[headers.rateLimitLimit, String(policy.limits[binding])],
    ...[headers.rateLimitRemaining, String(remaining[binding])],
    ...[headers.rateLimitReset, String(Math.ceil(decision.resetAtMs / 1000))],
    ...[headers.rateLimitPolicy, policy.header],
    ...[headers.rateLimit, rateLimit],
  ];
}
