import { type Delivery, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { findEndpoint, queueKeyOf, readEnabledEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';
import { deliveryView } from './delivery-view.ts';
import { newDelivery } from './new-delivery.ts';

/**
 * Sends a ping to an endpoint, as a delivery like any other. Throws CONFLICT when the endpoint is disabled.
 */
export async function testWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<Delivery> {
  const { workspace_id } = await findEndpoint(service, ctx, id, named);
  const maxAttempts = service.config.webhookMaxAttempts;
  const view = await service.commit(
    ctx,
    async (tx) => {
      const endpoint = await readEnabledEndpoint(service, id, tx);
      const now = new Date(service.now()).toISOString();
      const ping = { id: newId(), type: 'ping', created_at: now, workspace_id, data: { webhook_id: id } };
      const delivery = newDelivery({ payload: ping, endpoint, maxAttempts, now });
      await service.store.deliveries.insert(delivery, tx.session);
      const data = deliveryView(delivery);
      tx.emit('webhook.tested', { subject: subjectOf(endpoint), data: { webhook_id: id, delivery: data } });
      return data;
    },
    { queueKey: queueKeyOf(id) },
  );
  service.deliveriesDue({ id, workspace_id });
  return view;
}
