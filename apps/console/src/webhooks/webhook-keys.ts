import { queryKeys } from '../api/query-keys.ts';

/** The queries of one endpoint. A change of it or of its deliveries invalidates all. */
export const webhookKeys = {
  list: (workspaceId: string) => [...queryKeys.webhooks(workspaceId), 'list'],
  one: (workspaceId: string, id: string) => [...queryKeys.webhooks(workspaceId), id],
};
