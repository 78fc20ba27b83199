import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { decisionKeys } from '../decision-keys.ts';
import type { DecisionFilters } from './decision-filters.ts';

/** Some screens full: each further row takes time until the first one stands. */
const PAGE = 50;

/** The decisions of a workspace that are as the filters say, in their order. */
export function decisionList(workspaceId: string, filters: DecisionFilters) {
  return {
    queryKey: [...decisionKeys.list(workspaceId), filters],
    fetchPage: async (at: { cursor?: string }) => {
      const { overdue, ...others } = filters;
      const query = {
        workspaceId,
        limit: PAGE,
        ...others,
        ...(overdue && { overdue: 'true' as const }),
        ...at,
      };
      const { decisions, next_cursor } = await unwrap(api.GET('/decisions', { params: { query } }));
      return { data: decisions, next_cursor };
    },
  };
}
