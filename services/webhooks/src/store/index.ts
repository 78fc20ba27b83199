import type { Indexes } from '@waymark/service-kit/store';
import { claimStore } from './claims.ts';
import { counterStore } from './counters.ts';
import { deliveryStore } from './deliveries.ts';
import { DELIVERIES, deliveryIndexes, type StoreOptions } from './delivery-record.ts';
import { ENDPOINTS, endpointIndexes, endpointStore, WORKSPACES } from './endpoints.ts';
import { historyStore } from './history.ts';

export type { AttemptResult, ClaimedDelivery, DeliveryRecord } from './delivery-record.ts';
export type { EndpointKey, EndpointRecord, EndpointSender } from './endpoints.ts';

export const webhookIndexes: Indexes = { ...endpointIndexes, ...deliveryIndexes };

/** The collections to purge with a workspace, and its field in each; endpoints first: no new deliveries. */
export const ownedCollections = {
  [ENDPOINTS]: 'workspace_id',
  [DELIVERIES]: 'workspace_id',
  [WORKSPACES]: '_id',
};

export type WebhookStore = ReturnType<typeof openStore>;

export function openStore(options: StoreOptions) {
  return {
    endpoints: endpointStore(options),
    deliveries: deliveryStore(options),
    claims: claimStore(options),
    counters: counterStore(options.database),
    history: historyStore(options.database),
  };
}
