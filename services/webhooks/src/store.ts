import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit';
import { counterIndexes, counterStore } from './store/counters.ts';
import { deliveryIndexes, deliveryStore } from './store/deliveries.ts';
import { endpointIndexes, endpointStore } from './store/endpoints.ts';

export type { DeliveryStatus } from './store/counters.ts';
export {
  type AttemptResult,
  type ClaimedDelivery,
  claimOf,
  type DeliveryRecord,
  type DueLane,
} from './store/deliveries.ts';
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
    counters,
  };
}
