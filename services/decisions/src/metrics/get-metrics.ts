import type { Metrics } from '@waymark/contracts';
import type { DecisionStore } from '../store/index.ts';
import { calibrate } from './calibration.ts';

/** The workspace metric: 100 x decisions with an outcome / all. Not rounded, so that each first logging raises it. */
export async function workspaceMetrics(
  store: DecisionStore,
  workspaceId: string,
  nowMs: number,
): Promise<Metrics> {
  const counted = await store.metrics(workspaceId, new Date(nowMs).toISOString());
  const { total, withOutcome, overdue, qualitySum, forecasts } = counted;
  return {
    workspace_id: workspaceId,
    wms: total === 0 ? 0 : (100 * withOutcome) / total,
    decisions_total: total,
    decisions_with_outcome: withOutcome,
    overdue,
    average_quality_score: total === 0 ? null : Math.round((100 * qualitySum) / total) / 100,
    calibration: calibrate(forecasts),
  };
}
