import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import type { DeliveryRecord } from '../store/index.ts';

/** Returns a delivery that the caller may see, also when its endpoint was deleted. */
export async function findDelivery(
  { store }: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<DeliveryRecord> {
  return authorizeRecord(ctx, await store.deliveries.byId(id), named);
}
