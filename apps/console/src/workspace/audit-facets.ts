import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspace } from './use-workspace.ts';

/**
 * What to filter the workspace's audit log by, and how long it is kept; undefined until it is read, and on
 * plans without an audit log.
 */
export function useAuditFacets() {
  const { id: workspaceId, has } = useWorkspace();
  const { data } = useQuery({
    queryKey: [...queryKeys.audit(workspaceId), 'facets'],
    changesWith: [],
    queryFn: () => api.get('/audit-log/facets', { workspaceId }),
    enabled: has('audit_log'),
  });
  return data;
}
