/** A second's worth of tokens at most. Takes one and gives 0, or gives the milliseconds until there is one. */
export type TokenBucket = (perSecond: number, nowMs: number) => number;

export function tokenBucket(): TokenBucket {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAtMs = 0;
  return (perSecond, nowMs) => {
    const earned = (Math.max(0, nowMs - filledAtMs) * perSecond) / 1000;
    tokens = Math.min(perSecond, tokens + earned);
    filledAtMs = nowMs;
    if (tokens < 1) return ((1 - tokens) * 1000) / perSecond;
    tokens -= 1;
    return 0;
  };
}
