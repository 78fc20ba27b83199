import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit';
import { claimStore } from './store/claims.ts';
import { counterIndexes, counterStore } from './store/counters.ts';
import { deliveryStore } from './store/deliveries.ts';
import { deliveryIndexes } from './store/delivery-record.ts';
import { endpointIndexes, endpointStore } from './store/endpoints.ts';

export type { DeliveryStatus } from './store/counters.ts';
export {
  type AttemptResult,
  type ClaimedDelivery,
  claimOf,
  type DeliveryRecord,
  type DueLane,
} from './store/delivery-record.ts';
export type { EndpointRecord } from './store/endpoints.ts';
export { inTransaction } from './store/transaction.ts';

export const webhookIndexes: Indexes = { ...endpointIndexes, ...deliveryIndexes, ...counterIndexes };

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore(options: { database: Database; cursors: CursorCodec; retentionDays: number }) {
  const { database, cursors } = options;
  const counters = counterStore(database);
  return {
    endpoints: endpointStore(database, cursors),
    deliveries: deliveryStore({ ...options, counters }),
    claims: claimStore({ ...options, counters }),
    counters,
  };
}
