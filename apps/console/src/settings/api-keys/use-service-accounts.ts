import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** The service accounts of the workspace, newest first. */
export function useServiceAccounts() {
  const { id: workspaceId } = useWorkspace();
  const { data, ...result } = useQuery({
    queryKey: queryKeys.serviceAccounts(workspaceId),
    changesWith: ['service_account.*'],
    queryFn: () => api.get('/service-accounts', { workspaceId, limit: limits.pageSizeMax }),
  });
  return { ...result, accounts: data?.data ?? [] };
}
