import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitDecision, LimitPolicy } from '../exchange/rate-limit-headers.ts';
import { decide, windowEnd } from './limit-decision.ts';

/**
 * The fallback while Redis is away: every replica limits by itself, at the full limit, in the same clock-aligned windows.
 * `now` returns Unix milliseconds.
 */
export function memoryLimiter(windowMs: number, now: () => number) {
  const limiters = new Map<number, RateLimiterMemory>();

  function limiterOf(limit: number): RateLimiterMemory {
    let limiter = limiters.get(limit);
    if (!limiter) {
      limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1000 });
      limiters.set(limit, limiter);
    }
    return limiter;
  }

  return async (keys: readonly string[], policy: LimitPolicy): Promise<LimitDecision> => {
    const nowMs = now();
    const resetAtMs = windowEnd(nowMs, windowMs);
    const untilReset = { customDuration: (resetAtMs - nowMs) / 1000 };
    const tiers = keys.map((key, i) => ({ key, limiter: limiterOf(policy.limits[i]!) }));
    const counts: number[] = [];
    let refusing = -1;
    for (const [i, { key, limiter }] of tiers.entries()) {
      const taken = await take(limiter, key, untilReset);
      counts.push(taken.consumedPoints);
      if (taken.isRefused && refusing < 0) refusing = i;
    }
    // When one tier refuses, the script in Redis charges none; here the charges are taken back.
    if (refusing >= 0) {
      for (const [i, { key, limiter }] of tiers.entries()) {
        await limiter.reward(key, 1, untilReset);
        counts[i]! -= 1;
      }
    }
    return decide(policy, { refusing, counts, nowMs, resetAtMs });
  };
}

async function take(limiter: RateLimiterMemory, key: string, options: { customDuration: number }) {
  try {
    const { consumedPoints } = await limiter.consume(key, 1, options);
    return { consumedPoints, isRefused: false };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { consumedPoints: refusal.consumedPoints, isRefused: true };
    throw refusal;
  }
}
