import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { decide, type LimitDecision, type LimitPolicy, windowEnd } from './limit-decision.ts';

/** Takes one request from every tier of `policy`, or from none. */
export type Consume = (keys: readonly string[], policy: LimitPolicy) => Promise<LimitDecision>;

/**
 * The insurance while Redis is away: every replica limits by itself, at the full limit, in the same clock-aligned windows.
 * `now` gives Unix milliseconds.
 */
export function memoryLimiter(windowMs: number, now: () => number): Consume {
  const limiters = new Map<number, RateLimiterMemory>();

  function limiterOf(limit: number): RateLimiterMemory {
    const known = limiters.get(limit);
    if (known) return known;
    const made = new RateLimiterMemory({ points: limit, duration: windowMs / 1000 });
    limiters.set(limit, made);
    return made;
  }

  return async (keys, policy) => {
    const nowMs = now();
    const resetAtMs = windowEnd(nowMs, windowMs);
    const untilReset = { customDuration: (resetAtMs - nowMs) / 1000 };
    const counts: number[] = [];
    let refusing = -1;
    for (const [i, key] of keys.entries()) {
      const taken = await take(limiterOf(policy.limits[i]!), key, untilReset);
      counts.push(taken.consumedPoints);
      if (taken.isRefused && refusing < 0) refusing = i;
    }
    // The script of Redis charges no tier when one refuses; here the charge is taken back.
    if (refusing >= 0) {
      for (const [i, key] of keys.entries()) {
        await limiterOf(policy.limits[i]!).reward(key, 1, untilReset);
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
