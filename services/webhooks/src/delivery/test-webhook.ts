import { type Delivery, exampleData, newId, type SubscribableEventType } from '@waymark/contracts';
import { actorOf, type RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { commitDue, findEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';
import { deliveryView } from './delivery-view.ts';
import { newDelivery } from './new-delivery.ts';

/** Sends a ping or an example of an event. Throws CONFLICT when the endpoint is disabled. */
export async function testWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  {
    event,
    workspace_id: named,
  }: { event: 'ping' | SubscribableEventType; workspace_id?: string | undefined },
): Promise<Delivery> {
  const found = await findEndpoint(service, ctx, id, named);
  return commitDue(service, ctx, found, async (tx, endpoint, now) => {
    const { workspace_id } = endpoint;
    const test = { id: newId(), type: event, created_at: now, workspace_id };
    const payload =
      event === 'ping'
        ? { ...test, data: { webhook_id: id } }
        : { ...test, test: true as const, data: exampleData(event) };
    const maxAttempts = service.config.webhookMaxAttempts;
    const who = actorOf(ctx.principal).name;
    const delivery = newDelivery({ payload, endpoint, who, maxAttempts, now });
    await service.store.deliveries.insert(delivery, tx.session);
    const data = deliveryView(delivery);
    tx.emit('webhook.tested', { subject: subjectOf(endpoint), data: { webhook_id: id, delivery: data } });
    return data;
  });
}
