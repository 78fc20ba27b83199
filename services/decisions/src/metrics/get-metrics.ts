import { limits, type Metrics, type ScoreAndSuccess } from '@waymark/contracts';
import type { Bounded, RequestContext } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';
import { type OutcomeCell, SCORED_OUTCOMES, type ScoreBand } from '../store/metrics-counts.ts';
import { calibrate } from './calibration.ts';
import { differenceOf, successRate } from './intervals.ts';
import { sum } from './mean.ts';

/** Returns the metrics of a workspace. `wms` is not rounded, so that each first logging raises it. */
export async function getMetrics(
  { store, scan, now }: DecisionsContext,
  ctx: RequestContext,
): Promise<Metrics> {
  const { workspaceId } = ctx.access;
  const count = (bounded: Bounded) =>
    store.countForMetrics(workspaceId, new Date(now()).toISOString(), bounded);
  const { outcomes, overdue, forecasts } = await scan(ctx, count, `metrics of ${workspaceId}`);
  const total = sum(outcomes.map(({ count }) => count));
  const withOutcome = sum(outcomes.map(({ outcome, count }) => (outcome === 'pending' ? 0 : count)));
  const quality = sum(outcomes.map(({ qualitySum }) => qualitySum));
  return {
    workspace_id: workspaceId,
    wms: total === 0 ? 0 : (100 * withOutcome) / total,
    decisions_total: total,
    decisions_with_outcome: withOutcome,
    overdue,
    average_quality_score: total === 0 ? null : Math.round((100 * quality) / total) / 100,
    calibration: calibrate(forecasts),
    score_and_success: scoreAndSuccess(outcomes),
  };
}

/** Returns the rate of success of each band of scores, and that of the high band less that of the low one. */
function scoreAndSuccess(cells: readonly OutcomeCell[]): ScoreAndSuccess {
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
