import { type Accuracy, limits } from '@waymark/contracts';
import type { JudgedForecast } from '../store/forecasts.ts';
import { CALIBRATION_BINS } from '../store/metrics-counts.ts';
import { observedValues } from './calibration.ts';
import { mean, sum } from './mean.ts';

export type ScoredForecast = Pick<JudgedForecast, 'decision_id' | 'probability' | 'outcome'>;

/**
 * Returns how well forecasts met outcomes, without figures below ten decisions: forecasts of one decision
 * share its outcome. Skill: 1 - Brier score / that of the base rate. Reliability is the mean (forecast -
 * rate)^2 and resolution the mean (rate - base rate)^2 over ten bins, each with its mean forecast and its
 * rate of success (Murphy, A new vector partition of the probability score, Journal of Applied Meteorology
 * 12, 1973).
 */
export function accuracyOf(scored: readonly ScoredForecast[]): Accuracy {
  const decisions = new Set(scored.map(({ decision_id }) => decision_id)).size;
  const counts = { decisions, forecasts: scored.length };
  if (decisions < limits.casesMin) {
    return {
      ...counts,
      brier_score: null,
      base_rate: null,
      skill: null,
      reliability: null,
      resolution: null,
    };
  }
  const pairs = scored.map(({ probability, outcome }) => ({
    forecast: probability,
    observed: observedValues[outcome],
    bin: Math.min(CALIBRATION_BINS - 1, Math.floor(probability * CALIBRATION_BINS)),
  }));
  const brier_score = mean(pairs.map(({ forecast, observed }) => (forecast - observed) ** 2));
  const base_rate = mean(pairs.map(({ observed }) => observed));
  const reference = mean(pairs.map(({ observed }) => (base_rate - observed) ** 2));
  const bins = [...Map.groupBy(pairs, ({ bin }) => bin).values()].map((inBin) => ({
    share: inBin.length / pairs.length,
    forecast: mean(inBin.map(({ forecast }) => forecast)),
    rate: mean(inBin.map(({ observed }) => observed)),
  }));
  return {
    ...counts,
    brier_score,
    base_rate,
    skill: reference === 0 ? null : 1 - brier_score / reference,
    reliability: sum(bins.map(({ share, forecast, rate }) => share * (forecast - rate) ** 2)),
    resolution: sum(bins.map(({ share, rate }) => share * (rate - base_rate) ** 2)),
  };
}
