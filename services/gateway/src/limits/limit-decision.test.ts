import { describe, expect, it } from '@jest/globals';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import { decide, limitPolicy, windowEnd } from './limit-decision.ts';

const policy = limitPolicy(
  [
    ['key', 100],
    ['workspace', 300],
  ],
  60,
);
const at = { nowMs: 1_800_000_047_600, resetAtMs: 1_800_000_060_000 };

describe('a decision', () => {
  it.each([
    { counts: [1, 1], refusing: -1, binding: 0, remaining: [99, 299] },
    { counts: [10, 290], refusing: -1, binding: 1, remaining: [90, 10] },
    { counts: [10, 210], refusing: -1, binding: 0, remaining: [90, 90] },
    { counts: [10, 300], refusing: 1, binding: 1, remaining: [90, 0] },
    { counts: [100, 300], refusing: 0, binding: 0, remaining: [0, 0] },
    { counts: [130, 300], refusing: 0, binding: 0, remaining: [0, 0] },
  ])('is bound by the tier that refuses, else by the one with the fewest left: %j', (example) => {
    const decision = decide(policy, { ...at, refusing: example.refusing, counts: example.counts });
    expect(decision).toMatchObject({
      allowed: example.refusing < 0,
      binding: example.binding,
      remaining: example.remaining,
    });
  });

  it('is shown in the headers, the binding tier first', () => {
    const decision = decide(policy, { ...at, refusing: -1, counts: [10, 290] });
    const flat = rateLimitHeaders(decision);
    const pairs = flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]] as const] : []));
    expect(Object.fromEntries(pairs)).toEqual({
      'X-RateLimit-Limit': '300',
      'X-RateLimit-Remaining': '10',
      'X-RateLimit-Reset': '1800000060',
      'RateLimit-Policy': '"key";q=100;w=60, "workspace";q=300;w=60',
      RateLimit: '"workspace";r=10;t=13, "key";r=90;t=13',
    });
  });

  it('never has a Retry-After of zero', () => {
    const decision = decide(policy, { nowMs: 59_999, resetAtMs: 60_000, refusing: 0, counts: [100, 1] });
    expect(decision.retryAfterSeconds).toBe(1);
  });
});

describe('windowEnd', () => {
  it('is the next boundary of the clock, and on a boundary the one after it', () => {
    expect(windowEnd(59_999, 60_000)).toBe(60_000);
    expect(windowEnd(60_000, 60_000)).toBe(120_000);
  });
});
