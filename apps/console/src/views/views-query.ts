import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';

export type View = Schemas['SavedView'];

/** A list whose filters can be kept as views. */
export interface ViewedList {
  kind: View['kind'];
  to: '/w/$workspaceId/decisions' | '/w/$workspaceId/audit';
  /** The filters and the order of a view, as the list has them in its address. */
  filtersOf: (view: View) => object;
}

const STALE_MS = 60_000;

/** The user's views of a list, the shared views, and the user's columns and favourites. */
export const viewsQuery = (workspaceId: string, kind: View['kind']) =>
  queryOptions({
    queryKey: [...queryKeys.views(workspaceId), kind],
    changesWith: [],
    queryFn: () => api.get('/views', { workspaceId, kind }),
    staleTime: STALE_MS,
  });

export const useViews = (kind: View['kind']) => useQuery(viewsQuery(useWorkspace().id, kind)).data;
