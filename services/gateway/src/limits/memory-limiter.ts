import type { LimitDecision, LimitPolicy } from '../exchange/rate-limit-headers.ts';
import { decide, windowEnd } from './limit-decision.ts';

/**
 * The fallback while Redis is away: every replica limits by itself, at the full limit, in the same
 * clock-aligned windows, and charges all tiers or none as the script does. `now` returns Unix milliseconds.
 */
export function memoryLimiter(windowMs: number, now: () => number) {
  const counts = new Map<string, number>();
  let countsEndMs = 0;
  const countOf = (key: string) => counts.get(key) ?? 0;

  return (keys: readonly string[], policy: LimitPolicy): LimitDecision => {
    const nowMs = now();
    const resetAtMs = windowEnd(nowMs, windowMs);
    if (resetAtMs > countsEndMs) {
      counts.clear();
      countsEndMs = resetAtMs;
    }
    const refusing = keys.findIndex((key, i) => countOf(key) >= policy.limits[i]!);
    if (refusing < 0) for (const key of keys) counts.set(key, countOf(key) + 1);
    return decide(policy, { refusing, counts: keys.map(countOf), nowMs, resetAtMs });
  };
}
