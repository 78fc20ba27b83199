import { limits, type ScoreAndSuccess } from '@waymark/contracts';
import { type OutcomeCell, SCORED_OUTCOMES, type ScoreBand } from '../store/metrics-counts.ts';
import { differenceOf, successRate } from './intervals.ts';
import { sum } from './mean.ts';

/** Returns the rate of success of each band of scores, and that of the high band less that of the low one. */
export function scoreAndSuccess(cells: readonly OutcomeCell[]): ScoreAndSuccess {
  const of = (band: ScoreBand) => {
    const count = (outcomes: readonly string[]) =>
      sum(cells.map((cell) => (cell.band === band && outcomes.includes(cell.outcome) ? cell.count : 0)));
    const cases = count(SCORED_OUTCOMES);
    const success_rate = cases < limits.casesMin ? null : successRate(count(['success']), cases);
    return { cases, success_rate };
  };
  const [low, high] = [of('low'), of('high')];
  const difference =
    low.success_rate && high.success_rate && differenceOf(high.success_rate, low.success_rate);
  return { low, middle: of('middle'), high, difference };
}
