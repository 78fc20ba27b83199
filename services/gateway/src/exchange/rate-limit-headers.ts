import { headers } from '@waymark/contracts';
import type { LimitDecision } from '../limits/limit-decision.ts';

/**
 * X-RateLimit-* for the tier that binds, and RateLimit with RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for all
 * tiers, the one that binds first. Names and values in turn.
 */
export function rateLimitHeaders(decision: LimitDecision): string[] {
  const { policy, remaining, binding, retryAfterSeconds } = decision;
  const item = (i: number) => `"${policy.names[i]}";r=${remaining[i]};t=${retryAfterSeconds}`;
  let rateLimit = item(binding);
  for (let i = 0; i < remaining.length; i += 1) if (i !== binding) rateLimit += `, ${item(i)}`;
  return [
    headers.rateLimitLimit,
    String(policy.limits[binding]),
    headers.rateLimitRemaining,
    String(remaining[binding]),
    headers.rateLimitReset,
    String(Math.ceil(decision.resetAtMs / 1000)),
    headers.rateLimitPolicy,
    policy.header,
    headers.rateLimit,
    rateLimit,
  ];
}
