import { queryOptions, useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';

/** More than a workspace can have. */
const ACCOUNTS_MAX = 500;

const serviceAccounts = (workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.serviceAccounts(workspaceId),
    queryFn: () =>
      unwrap(api.GET('/service-accounts', { params: { query: { workspaceId, limit: ACCOUNTS_MAX } } })),
  });

/** The service accounts of the workspace, newest first. */
export function useServiceAccounts() {
  const { data, ...query } = useQuery(serviceAccounts(useWorkspace().id));
  return { ...query, accounts: data?.data ?? [] };
}
