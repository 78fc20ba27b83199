import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Keeps what the open page shows of a workspace up to date. Loads after the page, which needs it later. */
export function useLiveQueries(workspaceId: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (workspaceId === undefined) return;
    let stop: () => void = () => undefined;
    let isOver = false;
    // A page whose files are gone after an upgrade shows what it has.
    import('../api/live-queries.ts').then(
      ({ followWorkspace }) => {
        if (!isOver) stop = followWorkspace(workspaceId, queryClient);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [workspaceId, queryClient]);
}
