import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery, type Workspace } from './session-query.ts';

/** Keeps what is known of the user's workspaces right after one of them was made, changed or left. */
export function changeWorkspaces(
  queryClient: QueryClient,
  change: (workspaces: Workspace[]) => Workspace[],
): void {
  queryClient.setQueryData(
    sessionQuery.queryKey,
    (known) => known && { ...known, workspaces: change(known.workspaces) },
  );
}
