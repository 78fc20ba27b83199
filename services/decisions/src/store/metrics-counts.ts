import type { Outcome } from '@waymark/contracts';
import type { Collection, Db } from 'mongodb';
import { DECISIONS, OUTCOME_INDEX, type StoredDecision } from './collections.ts';
import { overdueFilter } from './list-query.ts';

/** Outcomes that a forecast is compared with. An abandoned decision never put its forecast to the test. */
const SCORED_OUTCOMES = ['success', 'partial', 'failure'] as const;
export type ScoredOutcome = (typeof SCORED_OUTCOMES)[number];
export const CALIBRATION_BINS = 10;

/** Forecasts of one bin with one outcome: their number, their sum, and the sum of their squares. */
export interface ForecastCell {
  /** 0 for forecasts from 0 to below 0.1, 9 for those from 0.9 to 1. */
  bin: number;
  outcome: ScoredOutcome;
  count: number;
  sum: number;
  squares: number;
}

export interface MetricsCounts {
  outcomes: { outcome: Outcome; count: number; qualitySum: number }[];
  overdue: number;
  forecasts: ForecastCell[];
}

/**
 * Counts the decisions of a workspace as of one moment, each number from an index alone. `now` in the stored
 * form of times.
 */
export function countForMetrics(db: Db, workspaceId: string, now: string): Promise<MetricsCounts> {
  const decisions: Collection<StoredDecision> = db.collection(DECISIONS);
  const own = { workspace_id: workspaceId };
  const confidence = '$outcome_confidence';
  const bin = { $min: [CALIBRATION_BINS - 1, { $floor: { $multiply: [confidence, CALIBRATION_BINS] } }] };
  const numbers = {
    count: { $sum: 1 },
    sum: { $sum: confidence },
    squares: { $sum: { $multiply: [confidence, confidence] } },
  };
  return db.client.withSession({ snapshot: true }, async (session) => {
    // The first read of a snapshot session sets the time of all reads, so the shortest one runs first and
    // alone.
    const overdue = await decisions.countDocuments(
      { ...own, ...overdueFilter(now) },
      { session, hint: OUTCOME_INDEX },
    );
    const [outcomes, forecasts] = await Promise.all([
      decisions
        .aggregate<MetricsCounts['outcomes'][number]>(
          [
            { $match: own },
            { $group: { _id: '$outcome', count: { $sum: 1 }, qualitySum: { $sum: '$quality_score' } } },
            { $project: { _id: 0, outcome: '$_id', count: 1, qualitySum: 1 } },
          ],
          { session, hint: OUTCOME_INDEX },
        )
        .toArray(),
      decisions
        .aggregate<ForecastCell>(
          [
            {
              $match: { ...own, outcome_confidence_kind: 'forecast', outcome: { $in: [...SCORED_OUTCOMES] } },
            },
            { $group: { _id: { outcome: '$outcome', bin }, ...numbers } },
            { $project: { _id: 0, outcome: '$_id.outcome', bin: '$_id.bin', count: 1, sum: 1, squares: 1 } },
          ],
          { session },
        )
        .toArray(),
    ]);
    return { outcomes, overdue, forecasts };
  });
}
