import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit/store';
import { claimStore } from './claims.ts';
import { counterStore } from './counters.ts';
import { deliveryStore } from './deliveries.ts';
import { DELIVERIES, deliveryIndexes } from './delivery-record.ts';
import { ENDPOINTS, endpointIndexes, endpointStore, WORKSPACES } from './endpoints.ts';
import { historyStore } from './history.ts';

export type { DeliveryStatus } from './counters.ts';
export type {
  AttemptResult,
  ClaimedDelivery,
  DeliveryRecord,
} from './delivery-record.ts';
export type { EndpointKey, EndpointRecord, EndpointSender } from './endpoints.ts';

export const webhookIndexes: Indexes = { ...endpointIndexes, ...deliveryIndexes };

/**
 * The collections that are purged with a workspace, and the field that names it; endpoints first, to stop new
 * deliveries.
 */
export const ownedCollections = {
  [ENDPOINTS]: 'workspace_id',
  [DELIVERIES]: 'workspace_id',
  [WORKSPACES]: '_id',
};

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore(options: { database: Database; cursors: CursorCodec; retentionDays: number }) {
  const { database, cursors } = options;
  const counters = counterStore(database);
  return {
    endpoints: endpointStore(database, cursors),
    deliveries: deliveryStore({ ...options, counters }),
    claims: claimStore(options),
    counters,
    history: historyStore(database),
  };
}
