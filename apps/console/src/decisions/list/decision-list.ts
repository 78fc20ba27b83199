import { queryOptions } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { readDecisions } from '../../workspace/read-decisions.ts';
import { decisionKeys } from '../decision-keys.ts';
import { DAYS, type DecisionFilters } from '../views/decision-filters.ts';
import { viewQueryOf } from '../views/decision-views.ts';

/** A screen of rows first, which arrive soon on a slow connection; then more. A board has several columns. */
const FIRST_PAGE = 25;
const BOARD_PAGE = 100;
const NEXT_PAGES = 50;
const STALE_MS = 60_000;

/** A day begins at midnight where the reader is. */
const startOf = (day: string) => new Date(`${day}T00:00`).toISOString();

export const queryOf = (workspaceId: string, { tag, board: _, ...filters }: DecisionFilters) => ({
  workspaceId,
  ...viewQueryOf(filters),
  // One may have a comma.
  ...(Array.isArray(tag) ? { tags: tag } : tag && { tag }),
  ...Object.fromEntries(DAYS.flatMap((name) => (filters[name] ? [[name, startOf(filters[name])]] : []))),
});

/** The filtered and sorted decisions of a workspace. */
export function decisionList(workspaceId: string, filters: DecisionFilters) {
  const [first, next] = filters.board ? [BOARD_PAGE, BOARD_PAGE] : [FIRST_PAGE, NEXT_PAGES];
  return {
    queryKey: [...decisionKeys.list(workspaceId), filters],
    changesWith: ['decision.*', 'decisions.*'] as const,
    fetchPage: (at: { cursor?: string }) =>
      readDecisions({
        ...queryOf(workspaceId, filters),
        limit: at.cursor === undefined ? first : next,
        ...at,
      }),
  };
}

/** All that match, or the first of them, for a change of many at once. */
export const matchingDecisions = (workspaceId: string, filters: DecisionFilters) =>
  queryOptions({
    queryKey: [...decisionKeys.matching(workspaceId), filters],
    changesWith: ['decision.*', 'decisions.*'],
    queryFn: async () => {
      const query = { ...queryOf(workspaceId, filters), limit: limits.pageSizeMax };
      return (await readDecisions(query)).data;
    },
    staleTime: STALE_MS,
  });
