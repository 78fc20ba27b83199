import type { Metrics } from '@waymark/contracts';
import type { DecisionsContext } from '../context.ts';
import { calibrate } from './calibration.ts';
import { sum } from './mean.ts';
import { scoreAndSuccess } from './score-and-success.ts';

/** Returns the metrics of a workspace. `wms` is not rounded, so that each first logging raises it. */
export async function getMetrics(service: DecisionsContext, workspaceId: string): Promise<Metrics> {
  const count = () => service.store.countForMetrics(workspaceId, new Date(service.now()).toISOString());
  const { outcomes, overdue, forecasts } = await service.counts(workspaceId, count);
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
