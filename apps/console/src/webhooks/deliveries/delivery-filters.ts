import type { operations, Schemas } from '@waymark/client/api';

export type DeliveryStatus = Schemas['Delivery']['status'];

/** Only deliveries of deleted endpoints are cancelled, and these are not shown. */
export const DELIVERY_STATUSES: DeliveryStatus[] = ['pending', 'delivered', 'failed', 'held'];

type Query = NonNullable<operations['listWebhookDeliveries']['parameters']['query']>;

export interface DeliveryFilters {
  status?: DeliveryStatus;
  event?: NonNullable<Query['event']>;
}

/** The filters of an endpoint's deliveries as URL parameters. */
export function deliveryFiltersOf(search: Record<string, unknown>): DeliveryFilters {
  const status = DELIVERY_STATUSES.find((one) => one === search['status']);
  const event = typeof search['event'] === 'string' && search['event'] ? search['event'] : undefined;
  // The API refuses an event that it does not know.
  return { ...(status && { status }), ...(event && { event: event as NonNullable<Query['event']> }) };
}
