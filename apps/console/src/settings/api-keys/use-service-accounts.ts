import { useQuery } from '@tanstack/react-query';
import { limits } from '@waymark/client/facts';
import { api, unwrap } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';

/** The service accounts of the workspace, newest first. */
export function useServiceAccounts() {
  const { id: workspaceId } = useWorkspace();
  const query = { workspaceId, limit: limits.pageSizeMax };
  const { data, ...result } = useQuery({
    queryKey: queryKeys.serviceAccounts(workspaceId),
    changesWith: ['service_account.*'],
    queryFn: () => unwrap(api.GET('/service-accounts', { params: { query } })),
  });
  return { ...result, accounts: data?.data ?? [] };
}
