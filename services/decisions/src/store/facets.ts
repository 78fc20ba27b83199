import { type DecisionFacets, limits } from '@waymark/contracts';
import type { Bounded } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import type { Document } from 'mongodb';
import { DECISIONS, type StoredDecision } from './collections.ts';
import { type ListFilters, listFilter } from './list-query.ts';

/** Counts the decisions that match the filters, and the values to filter by. */
export async function countFacets(
  { collection }: Database,
  workspaceId: string,
  filters: ListFilters,
  now: string,
  bounded: Bounded,
): Promise<DecisionFacets> {
  const decisions = collection<StoredDecision>(DECISIONS);

  function countBy(field: string, own: (keyof ListFilters)[], split: Document[] = []) {
    const others = { ...filters, ...Object.fromEntries(own.map((name) => [name, undefined])) };
    return decisions
      .aggregate<{ _id: string | null; count: number; newest: string }>(
        [
          { $match: listFilter(workspaceId, others, now) },
          ...split,
          { $group: { _id: `$${field}`, count: { $sum: 1 }, newest: { $max: '$_id' } } },
          { $match: { _id: { $ne: null } } },
          { $sort: { count: -1, _id: 1 } },
          { $limit: limits.facetValues },
        ],
        bounded,
      )
      .toArray();
  }

  const [total, tags, types, authors] = await Promise.all([
    decisions.countDocuments(listFilter(workspaceId, filters, now), bounded),
    countBy('tags', ['tag', 'tags'], [{ $unwind: '$tags' }]),
    countBy('decision_type', ['type']),
    countBy('created_by', ['author']),
  ]);
  // One decision of each author has the name; the counts come from indexes alone.
  const named = await decisions
    .find({ workspace_id: workspaceId, _id: { $in: authors.map(({ newest }) => newest) } }, bounded)
    .project<{ created_by: string; creator?: { name: string | null } }>({ created_by: 1, creator: 1 })
    .toArray();
  const names = new Map(named.map(({ created_by, creator }) => [created_by, creator?.name ?? null]));
  return {
    total,
    tags: tags.map(({ _id, count }) => ({ value: String(_id), count })),
    types: types.map(({ _id, count }) => ({ value: String(_id), count })),
    authors: authors.map(({ _id, count }) => ({
      id: String(_id),
      name: names.get(String(_id)) ?? null,
      count,
    })),
  };
}
