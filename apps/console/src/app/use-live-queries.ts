import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followWorkspace } from '../api/live-queries.ts';

/** Keeps what the open page shows of a workspace up to date. */
export function useLiveQueries(workspaceId: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (workspaceId !== undefined) return followWorkspace(workspaceId, queryClient);
  }, [workspaceId, queryClient]);
}
