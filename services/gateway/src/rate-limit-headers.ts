import type { ServerResponse } from 'node:http';
import { headers } from '@waymark/contracts';
import type { LimitDecision } from './limit-decision.ts';

/** Sets X-RateLimit-* for the tier that binds and RateLimit, RateLimit-Policy (an IETF draft) for all tiers. */
export function setRateLimitHeaders(response: ServerResponse, decision: LimitDecision): void {
  for (const [name, value] of rateLimitHeaders(decision)) response.setHeader(name, value);
}

/** The headers that tell a decision, the tier that binds first. */
export function rateLimitHeaders(decision: LimitDecision): [name: string, value: string][] {
  const { policy, remaining, binding, retryAfterSeconds } = decision;
  const item = (i: number) => `"${policy.names[i]}";r=${remaining[i]};t=${retryAfterSeconds}`;
  let rateLimit = item(binding);
  for (let i = 0; i < remaining.length; i += 1) if (i !== binding) rateLimit += `, ${item(i)}`;
  return [
    [headers.rateLimitLimit, String(policy.limits[binding])],
    [headers.rateLimitRemaining, String(remaining[binding])],
    [headers.rateLimitReset, String(Math.ceil(decision.resetAtMs / 1000))],
    [headers.rateLimitPolicy, policy.header],
    [headers.rateLimit, rateLimit],
  ];
}
