import { limits, type Outcome, type ScoreAndSuccess } from '@waymark/contracts';
import type { Bounded } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import { DECISIONS, OUTCOME_INDEX, type StoredDecision } from './collections.ts';
import { overdueFilter } from './list-query.ts';

/** Outcomes that a forecast is compared with. An abandoned decision never put its forecast to the test. */
export const SCORED_OUTCOMES = ['success', 'partial', 'failure'] as const;
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

export type ScoreBand = Exclude<keyof ScoreAndSuccess, 'difference'>;

/** Decisions with one outcome and scores of one band. */
export interface OutcomeCell {
  outcome: Outcome;
  band: ScoreBand;
  count: number;
  qualitySum: number;
}

export interface MetricsCounts {
  outcomes: OutcomeCell[];
  overdue: number;
  forecasts: ForecastCell[];
}

/** Counts the decisions of a workspace as of one moment, each number from an index alone. */
export function countForMetrics(
  { client, collection }: Database,
  workspace_id: string,
  now: string,
  bounded: Bounded,
): Promise<MetricsCounts> {
  const decisions = collection<StoredDecision>(DECISIONS);
  const confidence = '$outcome_confidence';
  const bin = { $min: [CALIBRATION_BINS - 1, { $floor: { $multiply: [confidence, CALIBRATION_BINS] } }] };
  const score = '$quality_score';
  const isBelow = (bound: number) => ({ $lt: [score, bound] });
  const band = {
    $cond: [isBelow(limits.middleScore), 'low', { $cond: [isBelow(limits.highScore), 'middle', 'high'] }],
  };
  const numbers = {
    count: { $sum: 1 },
    sum: { $sum: confidence },
    squares: { $sum: { $multiply: [confidence, confidence] } },
  };
  return client.withSession({ snapshot: true }, async (session) => {
    const options = () => ({ ...bounded, session, hint: OUTCOME_INDEX });
    // The first read of a snapshot session sets the time of all, so the shortest one runs first and alone.
    const overdue = await decisions.countDocuments({ workspace_id, ...overdueFilter(now) }, options());
    const outcomes = decisions.aggregate<OutcomeCell>(
      [
        { $match: { workspace_id } },
        { $group: { _id: { outcome: '$outcome', band }, count: { $sum: 1 }, qualitySum: { $sum: score } } },
        { $project: { _id: 0, outcome: '$_id.outcome', band: '$_id.band', count: 1, qualitySum: 1 } },
      ],
      options(),
    );
    const forecasts = decisions.aggregate<ForecastCell>(
      [
        {
          $match: {
            workspace_id,
            outcome_confidence_kind: 'forecast',
            outcome: { $in: [...SCORED_OUTCOMES] },
          },
        },
        { $group: { _id: { outcome: '$outcome', bin }, ...numbers } },
        { $project: { _id: 0, outcome: '$_id.outcome', bin: '$_id.bin', count: 1, sum: 1, squares: 1 } },
      ],
      { ...bounded, session },
    );
    const counted = await Promise.all([outcomes.toArray(), forecasts.toArray()]);
    return { outcomes: counted[0], overdue, forecasts: counted[1] };
  });
}
