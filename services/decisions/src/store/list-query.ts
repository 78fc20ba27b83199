import type { Decision, InputOf, Operations } from '@waymark/contracts';
import type { Sort, Stored } from '@waymark/service-kit/store';
import type { Filter } from 'mongodb';

type ListQuery = InputOf<Operations['listDecisions']>['query'];
export type ListFilters = Pick<
  ListQuery,
  'status' | 'outcome' | 'tag' | 'type' | 'author' | 'text' | 'overdue'
>;
export type ListSort = ListQuery['sort'];
type DecisionFilter = Filter<Stored<Decision>>;

/** Decisions whose outcome is due and still open; `now` in the stored form of times, which sorts as text. */
export function overdueFilter(now: string) {
  return {
    outcome: 'pending',
    status: { $nin: ['rejected', 'archived'] },
    expected_by: { $lt: now },
  } satisfies DecisionFilter;
}

/** The open decisions of a workspace that are overdue, or due later. */
export function dueFilter(workspaceId: string, due: 'overdue' | 'upcoming', now: string): DecisionFilter {
  const when = due === 'overdue' ? { $lt: now } : { $gte: now };
  return { workspace_id: workspaceId, ...overdueFilter(now), expected_by: when };
}

/** The decisions of a workspace that match every given filter. */
export function listFilter(workspaceId: string, filters: ListFilters, now: string): DecisionFilter {
  const { status, outcome, tag, type, author, text, overdue } = filters;
  return {
    workspace_id: workspaceId,
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(tag !== undefined && { tags: tag }),
    ...(type !== undefined && { decision_type: type }),
    ...(author !== undefined && { created_by: author }),
    ...(text !== undefined && { title: { $regex: escapeRegExp(text), $options: 'i' } }),
    ...(overdue === true && { $and: [overdueFilter(now)] }),
    ...(overdue === false && { $nor: [overdueFilter(now)] }),
  };
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The order of a sort parameter, with the id as the tie-breaker in the same direction. */
export function listOrder(sort: ListSort): Sort {
  const direction = sort.startsWith('-') ? -1 : 1;
  return [
    [sort.replace('-', ''), direction],
    ['_id', direction],
  ];
}
