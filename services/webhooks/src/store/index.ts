import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit/store';
import { claimStore } from './claims.ts';
import { counterStore } from './counters.ts';
import { deliveryStore } from './deliveries.ts';
import { DELIVERIES, deliveryIndexes } from './delivery-record.ts';
import { ENDPOINTS, endpointIndexes, endpointStore, WORKSPACES } from './endpoints.ts';
import { historyStore } from './history.ts';

export type { DeliveryStatus } from './counters.ts';
export {
  type AttemptResult,
  type ClaimedDelivery,
  claimOf,
  type DeliveryRecord,
  type DueLane,
} from './delivery-record.ts';
export type { EndpointRecord } from './endpoints.ts';
export { inTransaction } from './transaction.ts';

export const webhookIndexes: Indexes = { ...endpointIndexes, ...deliveryIndexes };

/** What goes with a workspace, by the field that names it: endpoints first, so that nothing new comes in. */
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
