import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { DeliveryRecord, EndpointRecord, WebhookStore } from '../store/index.ts';

/** An endpoint that the caller may see; `named` is the workspace that the request names beside it. */
export async function findEndpoint(
  store: WebhookStore,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<EndpointRecord> {
  const endpoint = await store.endpoints.byId(id);
  return authorizeRecord(ctx, endpoint?.deleted_at === null ? endpoint : null, named);
}

/** A delivery that the caller may see, also one whose endpoint was deleted. */
export async function findDelivery(
  store: WebhookStore,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<DeliveryRecord> {
  return authorizeRecord(ctx, await store.deliveries.byId(id), named);
}
