import { queryKeys } from '../api/query-keys.ts';

/** The queries of one endpoint; all of them are stale when it changes, or a delivery of it. */
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
