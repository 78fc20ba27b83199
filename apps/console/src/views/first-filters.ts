import type { QueryClient } from '@tanstack/react-query';
import { type ViewedList, viewsQuery } from './views-query.ts';

/** Returns the filters of the view that a list opens with: none without such a view, or without an answer. */
export async function firstFilters(
  queryClient: QueryClient,
  workspaceId: string,
  { kind, filtersOf }: ViewedList,
): Promise<object | null> {
  const once = { ...viewsQuery(workspaceId, kind), retry: false, networkMode: 'always' } as const;
  const views = await queryClient.ensureQueryData(once).catch(() => null);
  const first = views?.data.find(({ id }) => id === views.settings.default_view_id);
  const filters = first ? filtersOf(first) : {};
  return Object.keys(filters).length > 0 ? filters : null;
}
