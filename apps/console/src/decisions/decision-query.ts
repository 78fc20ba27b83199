import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { decisionKeys } from './decision-keys.ts';

export function decisionQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: decisionKeys.one(workspaceId, id),
    queryFn: () => unwrap(api.GET('/decisions/{id}', { params: { path: { id }, query: { workspaceId } } })),
  });
}
