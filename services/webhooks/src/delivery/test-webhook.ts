import { type Delivery, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { commitDue, findEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';
import { deliveryView } from './delivery-view.ts';
import { newDelivery } from './new-delivery.ts';

/** Sends a ping, as a delivery like any other. Throws CONFLICT when the endpoint is disabled. */
export async function testWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<Delivery> {
  const found = await findEndpoint(service, ctx, id, named);
  return commitDue(service, ctx, found, async (tx, endpoint, now) => {
    const { workspace_id } = endpoint;
    const ping = { id: newId(), type: 'ping', created_at: now, workspace_id, data: { webhook_id: id } };
    const maxAttempts = service.config.webhookMaxAttempts;
    const delivery = newDelivery({ payload: ping, endpoint, maxAttempts, now });
    await service.store.deliveries.insert(delivery, tx.session);
    const data = deliveryView(delivery);
    tx.emit('webhook.tested', { subject: subjectOf(endpoint), data: { webhook_id: id, delivery: data } });
    return data;
  });
}
