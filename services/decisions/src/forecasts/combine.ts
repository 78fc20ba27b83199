import { mean } from '../metrics/mean.ts';

/** A low one of the factors that the source found best, because colleagues share much knowledge. */
const EXTREMIZING_FACTOR = 1.5;
/** Certainty has no finite log-odds. */
const NEAREST_TO_CERTAIN = 0.01;

const logOdds = (probability: number) => {
  const p = Math.min(1 - NEAREST_TO_CERTAIN, Math.max(NEAREST_TO_CERTAIN, probability));
  return Math.log(p / (1 - p));
};

/** Returns the median of probabilities; null without any. */
export function median(probabilities: readonly number[]): number | null {
  if (probabilities.length === 0) return null;
  const sorted = probabilities.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : mean(sorted.slice(half - 1, half + 1));
}

/**
 * Returns the mean log-odds of probabilities, multiplied by 1.5, as a probability; null below two. Satopää et
 * al., Combining multiple probability predictions using a simple logit model, International Journal of
 * Forecasting 30 (2014), found factors from 1.161 to 3.921 best.
 */
export function extremizedMean(probabilities: readonly number[]): number | null {
  if (probabilities.length < 2) return null;
  return 1 / (1 + Math.exp(-EXTREMIZING_FACTOR * mean(probabilities.map(logOdds))));
}
