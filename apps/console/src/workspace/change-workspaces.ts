import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery, type Workspace } from '../session/session-query.ts';

/** Updates the cached list of workspaces after one was created, changed or left. */
export function changeWorkspaces(
  queryClient: QueryClient,
  change: (workspaces: Workspace[]) => Workspace[],
): void {
  queryClient.setQueryData(
    sessionQuery.queryKey,
    (known) => known && { ...known, workspaces: change(known.workspaces) },
  );
}
