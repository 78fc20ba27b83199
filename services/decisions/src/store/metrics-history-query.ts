import type { Bounded } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import type { Document } from 'mongodb';
import { DECISIONS, OUTCOMES } from './collections.ts';

/** Changes by the start of their period; '' is the time before the first period. */
export interface PeriodChanges {
  created: Map<string, number>;
  /** Decisions that got an outcome, minus decisions that lost theirs. */
  resolved: Map<string, number>;
}

/** Sorts after every time, as text. */
const END_OF_TIME = '~';

/**
 * Counts the decisions of a workspace that were made, and that got an outcome, in the periods that begin at
 * `starts` (ascending; the last one is open). Every logging, a return to pending too, has a record.
 */
export async function changesByPeriod(
  { collection }: Database,
  workspace_id: string,
  starts: readonly string[],
  bounded: Bounded,
): Promise<PeriodChanges> {
  const sums = (name: string, ...stages: Document[]) =>
    collection(name)
      .aggregate<{ _id: string; sum: number }>([{ $match: { workspace_id } }, ...stages], bounded)
      .toArray();
  const [created, logged, current] = await Promise.all([
    // Answered from the index of the list, without reading documents.
    sums(DECISIONS, byPeriod('$created_at', starts, 1)),
    sums(OUTCOMES, ...outcomeChanges, byPeriod('$logged_at', starts, '$change')),
    collection(DECISIONS).countDocuments({ workspace_id, outcome: { $ne: 'pending' } }, bounded),
  ]);
  const resolved = mapOf(logged);
  const recorded = logged.reduce((total, { sum }) => total + sum, 0);
  if (recorded === current) return { created: mapOf(created), resolved };
  // Decisions imported with an outcome but without its record count as having had it from their creation.
  const unrecorded = await sums(
    DECISIONS,
    ...withoutRecord(workspace_id),
    byPeriod('$created_at', starts, 1),
  );
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

function withoutRecord(workspace_id: string): Document[] {
  return [
    { $match: { outcome: { $ne: 'pending' } } },
    { $project: { created_at: 1 } },
    {
      $lookup: {
        from: OUTCOMES,
        localField: '_id',
        foreignField: 'decision_id',
        pipeline: [{ $match: { workspace_id } }, { $limit: 1 }, { $project: { _id: 1 } }],
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
