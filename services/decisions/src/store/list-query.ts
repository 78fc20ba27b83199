import { type Decision, type InputOf, limits, type Operations } from '@waymark/contracts';
import { containing, type Sort, type Stored } from '@waymark/service-kit/store';
import type { Filter } from 'mongodb';

type ListQuery = InputOf<Operations['listDecisions']>['query'];
export type ListFilters = Omit<ListQuery, 'workspace_id' | 'waiting_for' | 'sort' | 'cursor' | 'limit'>;
/** Whom a decision waits for. */
export type Waiting = Pick<ListQuery, 'waiting_for'>;
export type ListSort = ListQuery['sort'];
const DAY_MS = 86_400_000;
type DecisionFilter = Filter<Stored<Decision>>;

/** Decisions whose outcome is due and still open; `now` in the stored form of times, which sorts as text. */
export function overdueFilter(now: string) {
  return {
    outcome: 'pending',
    status: { $nin: ['rejected', 'archived'] },
    expected_by: { $lt: now },
  } satisfies DecisionFilter;
}

/** Decisions whose review is due soon; `$gt` because the index has only those with a date. */
const reviewFilter = (now: string) =>
  ({
    status: 'accepted',
    review_by: { $gt: '', $lt: new Date(Date.parse(now) + limits.reviewAheadDays * DAY_MS).toISOString() },
  }) satisfies DecisionFilter;

/**
 * Decisions that wait for a user: to be decided, to be approved, to be reviewed, or with an overdue outcome.
 * MongoDB answers each from its index, but not all of them together.
 */
export function waitingFilters(workspace_id: string, user: string, now: string): DecisionFilter[] {
  const overdue = overdueFilter(now);
  const review = reviewFilter(now);
  return [
    { workspace_id, deciders: user, status: 'proposed' },
    { workspace_id, deciders: user, ...overdue },
    { workspace_id, created_by: user, ...overdue },
    { workspace_id, created_by_person: user, ...overdue },
    { workspace_id, deciders: user, ...review },
    { workspace_id, created_by: user, ...review },
    { workspace_id, created_by_person: user, ...review },
    { workspace_id, 'asked.open': user, status: overdue.status },
  ];
}

/** The open decisions of a workspace that are overdue, or due later. */
export function dueFilter(workspaceId: string, due: 'overdue' | 'upcoming', now: string): DecisionFilter {
  const when = due === 'overdue' ? { $lt: now } : { $gte: now };
  return { workspace_id: workspaceId, ...overdueFilter(now), expected_by: when };
}

/** The decisions of a workspace that match every given filter. */
export function listFilter(workspaceId: string, filters: ListFilters, now: string): DecisionFilter {
  const { status, outcome, tag, tags, type, author, text, overdue, external_id } = filters;
  const { created_from, created_to, updated_since, expected_from, expected_to } = filters;
  return {
    workspace_id: workspaceId,
    ...(status && { status: oneOf(status) }),
    ...(outcome && { outcome: oneOf(outcome) }),
    ...((tag ?? tags) !== undefined && {
      tags: { ...(tag !== undefined && { $eq: tag }), ...(tags && { $in: tags }) },
    }),
    ...(type !== undefined && { decision_type: type }),
    ...(external_id !== undefined && { external_id }),
    ...(author !== undefined && { created_by: oneOf(author) }),
    ...(text !== undefined && { title: containing(text) }),
    ...between('created_at', created_from, created_to),
    ...between('updated_at', updated_since),
    ...between('expected_by', expected_from, expected_to),
    ...(overdue === true && { $and: [overdueFilter(now)] }),
    ...(overdue === false && { $nor: [overdueFilter(now)] }),
  };
}

/** MongoDB reads a single value from the index in its order, without merging. */
const oneOf = <V>(values: V[]) => (values.length === 1 ? values[0]! : { $in: values });

function between(field: 'created_at' | 'updated_at' | 'expected_by', from?: string, to?: string) {
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  return Object.keys(range).length > 0 && { [field]: range };
}

/** The filters as cursors name them: a list of one as its value, which it was before lists. */
export const filterScope = (filters: ListFilters & Waiting) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? value[0] : value,
    ]),
  );

/** The order of a sort parameter, with the id as the tie-breaker in the same direction. */
export function listOrder(sort: ListSort): Sort {
  const direction = sort.startsWith('-') ? -1 : 1;
  return [
    [sort.replace('-', ''), direction],
    ['_id', direction],
  ];
}
