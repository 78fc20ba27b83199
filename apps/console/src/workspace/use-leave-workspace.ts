import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queryKeys } from '../api/query-keys.ts';
import { changeWorkspaces } from './change-workspaces.ts';

/** Continues in another workspace after this one was deleted or left, unless the user has done so before. */
export function useLeaveWorkspace(): (id: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (id) => {
    const isOpen = router.state.matches.some(
      ({ params }) => 'workspaceId' in params && params.workspaceId === id,
    );
    // Navigate first: a workspace's pages cannot render without it.
    if (isOpen) await router.navigate({ to: '/account', ignoreBlocker: true });
    changeWorkspaces(queryClient, (known) => known.filter((one) => one.id !== id));
    queryClient.removeQueries({ queryKey: queryKeys.workspace(id) });
    if (isOpen) await router.navigate({ to: '/' });
  };
}
