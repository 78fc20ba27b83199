/** Returns the quantile of the values (0.5 for the median), or NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns a text such as "p50 1.2 ms, p99 3.4 ms". */
export const percentiles = (ms: readonly number[], shares: readonly number[] = [0.5, 0.95, 0.99]): string =>
  shares.map((share) => `p${share * 100} ${quantile(ms, share).toFixed(1)} ms`).join(', ');
