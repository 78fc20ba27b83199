import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionFilters } from './decision-filters.ts';

/** A few screens of rows; more rows delay the first paint. */
const PAGE = 50;

export const queryOf = (workspaceId: string, { overdue, ...others }: DecisionFilters) => ({
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
