import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionFilters } from './decision-filters.ts';

/** A few screens of rows; more rows delay the first paint. */
const PAGE = 50;

const queryOf = (workspaceId: string, { overdue, ...others }: DecisionFilters) => ({
  workspaceId,
  ...others,
  ...(overdue && { overdue: 'true' as const }),
});

/** The filtered and sorted decisions of a workspace. */
export function decisionList(workspaceId: string, filters: DecisionFilters) {
  return {
    queryKey: [...decisionKeys.list(workspaceId), filters],
    fetchPage: async (at: { cursor?: string }) => {
      const query = { ...queryOf(workspaceId, filters), limit: PAGE, ...at };
      const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
      return { data: decisions, next_cursor };
    },
  };
}

/** How many decisions match, and what to filter by. */
export function decisionFacets(workspaceId: string, { sort: _, ...filters }: DecisionFilters) {
  return queryOptions({
    queryKey: [...decisionKeys.facets(workspaceId), filters],
    queryFn: () => unwrap(api.GET('/decisions/facets', { params: { query: queryOf(workspaceId, filters) } })),
    placeholderData: keepPreviousData,
  });
}

/** Authors of imported decisions have no names here. */
export function authorName({ id, name }: { id: string; name: string | null }): string {
  return name ?? `Unknown ${id.slice(-4)}`;
}
