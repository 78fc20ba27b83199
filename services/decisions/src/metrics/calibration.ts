import { limits, type Metrics } from '@waymark/contracts';
import { CALIBRATION_BINS, type ForecastCell, type ScoredOutcome } from '../store/metrics-counts.ts';
import { sum } from './mean.ts';

/** The value of an outcome against a forecast of success. */
export const observedValues: Record<ScoredOutcome, number> = { success: 1, partial: 0.5, failure: 0 };

/**
 * Returns the accuracy of forecasts, null below 10. Brier score: mean of (forecast - observed)^2, 0 is best
 * (Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78, 1950).
 */
export function calibrate(cells: readonly ForecastCell[]): Metrics['calibration'] {
  const scored = total(cells, ({ count }) => count);
  if (scored < limits.casesMin) return null;
  // (f - o)^2 = f^2 - 2fo + o^2, summed over a cell, in which o is constant.
  const errors = total(cells, ({ outcome, count, sum, squares }) => {
    const observed = observedValues[outcome];
    return squares - 2 * observed * sum + observed * observed * count;
  });
  return {
    scored,
    brier_score: Math.max(0, errors) / scored,
    base_rate: observed(cells) / scored,
    bins: Array.from({ length: CALIBRATION_BINS }, (_, bin) => {
      const inBin = cells.filter((cell) => cell.bin === bin);
      const count = total(inBin, (cell) => cell.count);
      return {
        from: bin / CALIBRATION_BINS,
        to: (bin + 1) / CALIBRATION_BINS,
        count,
        mean_forecast: count === 0 ? null : total(inBin, (cell) => cell.sum) / count,
        observed_rate: count === 0 ? null : observed(inBin) / count,
      };
    }),
  };
}

function observed(cells: readonly ForecastCell[]): number {
  return total(cells, ({ outcome, count }) => observedValues[outcome] * count);
}

const total = (cells: readonly ForecastCell[], value: (cell: ForecastCell) => number) =>
  sum(cells.map(value));
