import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionFilters } from './decision-filters.ts';

/** A screen of rows first, which arrive soon on a slow connection; then more. */
const FIRST_PAGE = 25;
const NEXT_PAGES = 50;

export const queryOf = (
  workspaceId: string,
  { status, outcome, author, type, ...others }: DecisionFilters,
) => ({
  ...{ workspaceId, ...others },
  ...(status && { status: [status] }),
  ...(outcome && { outcome: [outcome] }),
  ...(author && { author: [author] }),
  ...(type && { decisionType: type }),
});

/** The filtered and sorted decisions of a workspace. */
export function decisionList(workspaceId: string, filters: DecisionFilters) {
  return {
    queryKey: [...decisionKeys.list(workspaceId), filters],
    changesWith: ['decision.*', 'decisions.*'] as const,
    fetchPage: async (at: { cursor?: string }) => {
      const limit = at.cursor === undefined ? FIRST_PAGE : NEXT_PAGES;
      const query = { ...queryOf(workspaceId, filters), limit, ...at };
      const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
      return { data: decisions, next_cursor };
    },
  };
}
