import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { type DecisionFilters, decisionFiltersOf, listOf } from './decision-filters.ts';

export type View = Schemas['SavedView'];

const STALE_MS = 60_000;

/** The user's views of the decisions, the shared views, and the user's columns and favourites. */
export const viewsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.views(workspaceId),
    changesWith: [],
    queryFn: () => unwrap(api.GET('/views', { params: { query: { workspaceId, kind: 'decisions' } } })),
    staleTime: STALE_MS,
  });

export const useViews = () => useQuery(viewsQuery(useWorkspace().id)).data;

/** The filters and the order of a view, as the list has them in its address. */
export const filtersOfView = ({ query }: View): DecisionFilters =>
  decisionFiltersOf({
    ...query,
    tag: query.tags,
    type: query.decision_type,
    createdFrom: query.created_from,
    createdTo: query.created_to,
    expectedFrom: query.expected_from,
    expectedTo: query.expected_to,
  });

export const viewQueryOf = ({ status, outcome, tag, author, type, ...others }: DecisionFilters) => ({
  ...others,
  ...(status && { status: listOf(status) }),
  ...(outcome && { outcome: listOf(outcome) }),
  ...(tag && { tags: listOf(tag) }),
  ...(author && { author: listOf(author) }),
  ...(type && { decisionType: type }),
});
