import type { Collection, Document } from 'mongodb';
import { OUTCOMES, type StoredDecision, type StoredOutcome } from './collections.ts';

/** Changes by the start of their period; '' is the time before the first period. */
export interface PeriodChanges {
  created: Map<string, number>;
  /** Decisions that got an outcome, minus decisions that lost theirs. */
  resolved: Map<string, number>;
}

interface Collections {
  decisions: Collection<StoredDecision>;
  outcomes: Collection<StoredOutcome>;
}

/** Sorts after every time, as text. */
const END_OF_TIME = '~';

/**
 * Counts the decisions of a workspace that were made, and that got an outcome, in the periods that begin at
 * `starts` (ascending; the last one is open). Every logging has a record, a return to pending too, so the
 * records show the past.
 */
export async function changesByPeriod(
  { decisions, outcomes }: Collections,
  workspaceId: string,
  starts: readonly string[],
): Promise<PeriodChanges> {
  const own = { workspace_id: workspaceId };
  const sums = async (
    collection: Collection<StoredDecision> | Collection<StoredOutcome>,
    stages: Document[],
  ) => collection.aggregate<{ _id: string; sum: number }>([{ $match: own }, ...stages]).toArray();
  const [created, logged, current] = await Promise.all([
    // Answered from the index of the list, without reading documents.
    sums(decisions, [byPeriod('$created_at', starts, 1)]),
    sums(outcomes, [...outcomeChanges, byPeriod('$logged_at', starts, '$change')]),
    decisions.countDocuments({ ...own, outcome: { $ne: 'pending' } }),
  ]);
  const resolved = mapOf(logged);
  const recorded = logged.reduce((total, { sum }) => total + sum, 0);
  if (recorded === current) return { created: mapOf(created), resolved };
  // Decisions imported with an outcome but without its record count as having had it from their creation.
  const unrecorded = await sums(decisions, [
    ...withoutRecord(workspaceId),
    byPeriod('$created_at', starts, 1),
  ]);
  for (const { _id, sum } of unrecorded) resolved.set(_id, (resolved.get(_id) ?? 0) + sum);
  return { created: mapOf(created), resolved };
}

const isResolved = (outcome: string) => ({ $cond: [{ $eq: [outcome, 'pending'] }, 0, 1] });

/** The records that gave a decision an outcome (change 1) or took it back (-1). */
const outcomeChanges: Document[] = [
  { $project: { decision_id: 1, outcome: 1, logged_at: 1 } },
  {
    $setWindowFields: {
      partitionBy: '$decision_id',
      sortBy: { logged_at: 1, _id: 1 },
      output: { before: { $shift: { output: '$outcome', by: -1, default: 'pending' } } },
    },
  },
  { $project: { logged_at: 1, change: { $subtract: [isResolved('$outcome'), isResolved('$before')] } } },
  { $match: { change: { $ne: 0 } } },
];

function withoutRecord(workspaceId: string): Document[] {
  return [
    { $match: { outcome: { $ne: 'pending' } } },
    { $project: { created_at: 1 } },
    {
      $lookup: {
        from: OUTCOMES,
        localField: '_id',
        foreignField: 'decision_id',
        pipeline: [{ $match: { workspace_id: workspaceId } }, { $limit: 1 }, { $project: { _id: 1 } }],
        as: 'records',
      },
    },
    { $match: { records: [] } },
  ];
}

function byPeriod(time: string, starts: readonly string[], value: number | string): Document {
  const boundaries = [...starts, END_OF_TIME];
  return { $bucket: { groupBy: time, boundaries, default: '', output: { sum: { $sum: value } } } };
}

function mapOf(rows: { _id: string; sum: number }[]): Map<string, number> {
  return new Map(rows.map(({ _id, sum }) => [_id, sum]));
}
