import { queryKeys } from '../api/query-keys.ts';

/** The queries of one endpoint. A change of it or of its deliveries invalidates all. */
export const webhookKeys = {
  list: (workspaceId: string) => [...queryKeys.webhooks(workspaceId), 'list'],
  eventTypes: (workspaceId: string) => [...queryKeys.webhooks(workspaceId), 'event-types'],
  one: (workspaceId: string, id: string) => [...queryKeys.webhooks(workspaceId), id],
  deliveries: (workspaceId: string, id: string) => [...queryKeys.webhooks(workspaceId), id, 'deliveries'],
  delivery: (workspaceId: string, id: string, deliveryId: string) => [
    ...queryKeys.webhooks(workspaceId),
    id,
    'deliveries',
    deliveryId,
  ],
  stats: (workspaceId: string, id: string) => [...queryKeys.webhooks(workspaceId), id, 'stats'],
};
