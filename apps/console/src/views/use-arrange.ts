import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../api/client.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { type View, viewsQuery } from './views-query.ts';

type Settings = Schemas['ListSettings'];
type Arrangement = Omit<Schemas['ListSettingsUpdate'], 'kind' | 'workspaceId'>;

/** Stores how the user arranges a list; other columns are shown at once. */
export function useArrange(kind: View['kind']) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = viewsQuery(workspaceId, kind);
  const show = (settings: Partial<Settings>) =>
    queryClient.setQueryData(
      queryKey,
      (known) => known && { ...known, settings: { ...known.settings, ...settings } },
    );
  const mutationKey = ['arrange', workspaceId, kind];
  return useMutation({
    mutationKey,
    // One after the other, so that the last choice is what is stored.
    scope: { id: mutationKey.join('/') },
    mutationFn: (body: Arrangement) => api.patch('/views/settings', { body: { workspaceId, kind, ...body } }),
    onMutate: ({ columns }) => void (columns && show({ columns })),
    // The answer to an earlier choice does not know the later ones.
    onSuccess: (settings) => void (queryClient.isMutating({ mutationKey }) === 1 && show(settings)),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
}
