import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queryKeys } from '../api/query-keys.ts';
import { changeWorkspaces } from './change-workspaces.ts';

/** Goes on in another workspace, once this one is gone or no longer the user's. */
export function useLeaveWorkspace(): (id: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (id) => {
    // Leave first: the pages of a workspace cannot be shown without it.
    await router.navigate({ to: '/account', ignoreBlocker: true });
    changeWorkspaces(queryClient, (known) => known.filter((one) => one.id !== id));
    queryClient.removeQueries({ queryKey: queryKeys.workspace(id) });
    await router.navigate({ to: '/' });
  };
}
