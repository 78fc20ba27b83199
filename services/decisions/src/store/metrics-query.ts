import type { Collection } from 'mongodb';
import { CALIBRATION_BINS, type ForecastCell, observedValues, type ScoredOutcome } from '../calibration.ts';
import type { StoredDecision } from './collections.ts';
import { overdueFilter } from './list-query.ts';

type Decisions = Collection<StoredDecision>;

export interface DecisionCounts {
  total: number;
  withOutcome: number;
  overdue: number;
  qualitySum: number;
}

/** The counts of a workspace, each from an index alone. */
export async function countDecisions(
  decisions: Decisions,
  workspaceId: string,
  now: string,
): Promise<DecisionCounts> {
  const [groups, overdue] = await Promise.all([
    decisions
      .aggregate<{ _id: string; count: number; quality: number }>([
        { $match: { workspace_id: workspaceId } },
        { $group: { _id: '$outcome', count: { $sum: 1 }, quality: { $sum: '$quality_score' } } },
      ])
      .toArray(),
    decisions.countDocuments({ workspace_id: workspaceId, ...overdueFilter(now) }),
  ]);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const pending = groups.find(({ _id }) => _id === 'pending')?.count ?? 0;
  const qualitySum = groups.reduce((sum, { quality }) => sum + quality, 0);
  return { total, withOutcome: total - pending, overdue, qualitySum };
}

/** The forecasts of a workspace that have an outcome to be held against, by bin and outcome. */
export async function forecastCells(decisions: Decisions, workspaceId: string): Promise<ForecastCell[]> {
  const groups = await decisions
    .aggregate<Omit<ForecastCell, 'bin' | 'outcome'> & { _id: { bin: number; outcome: ScoredOutcome } }>([
      {
        $match: {
          workspace_id: workspaceId,
          outcome_confidence_kind: 'forecast',
          outcome: { $in: Object.keys(observedValues) },
        },
      },
      {
        $group: {
          _id: { bin: binOf('$outcome_confidence'), outcome: '$outcome' },
          count: { $sum: 1 },
          sum: { $sum: '$outcome_confidence' },
          squares: { $sum: { $multiply: ['$outcome_confidence', '$outcome_confidence'] } },
        },
      },
    ])
    .toArray();
  return groups.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
}

function binOf(confidence: string) {
  return { $min: [CALIBRATION_BINS - 1, { $floor: { $multiply: [confidence, CALIBRATION_BINS] } }] };
}
