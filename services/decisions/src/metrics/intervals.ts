import type { Estimate } from '@waymark/contracts';

/** The quantile of the normal distribution that a 95 % interval ends at. */
const Z = 1.959963984540054;

/**
 * Returns the share of successes with its score interval. Wilson, Probable inference, the law of succession,
 * and statistical inference, Journal of the American Statistical Association 22 (1927).
 */
export function successRate(successes: number, cases: number): Estimate {
  const value = successes / cases;
  const middle = (successes + Z ** 2 / 2) / (cases + Z ** 2);
  const half = (Z * Math.sqrt(cases * value * (1 - value) + Z ** 2 / 4)) / (cases + Z ** 2);
  return { value, from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

/**
 * Returns the difference of two independent rates with its interval, from theirs. Newcombe, Interval
 * estimation for the difference between independent proportions, Statistics in Medicine 17 (1998), method 10.
 */
export function differenceOf(one: Estimate, other: Estimate): Estimate {
  const value = one.value - other.value;
  return {
    value,
    from: value - Math.hypot(one.value - one.from, other.to - other.value),
    to: value + Math.hypot(one.to - one.value, other.value - other.from),
  };
}
