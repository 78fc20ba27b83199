import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client.ts';
import type { Workspace } from '../../session/session-query.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { changeWorkspaces } from '../../workspace/change-workspaces.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** Changes settings of the open workspace; `done` says so. */
export function useChangeWorkspace(done: (changed: Workspace) => string) {
  const { id } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['WorkspaceUpdate']) =>
      unwrap(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body })),
    onSuccess: (changed) => {
      changeWorkspaces(queryClient, (known) => known.map((one) => (one.id === id ? changed : one)));
      notifyDone(done(changed));
    },
  });
}
