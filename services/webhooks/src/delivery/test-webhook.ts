import { ApiError, type Delivery, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit } from '@waymark/service-kit/store';
import { subjectOf, turnOf } from '../endpoints/endpoints.ts';
import { findEndpoint } from '../endpoints/find.ts';
import type { DueLane, WebhookStore } from '../store/index.ts';
import { deliveryView } from './delivery-view.ts';
import { newDelivery } from './new-delivery.ts';
import { payloadText } from './payload.ts';

/** Sends a ping to an endpoint, as a delivery like any other. Throws CONFLICT when the endpoint is disabled. */
export function testWebhookVerb(options: {
  store: WebhookStore;
  commit: Commit;
  maxAttempts: number;
  now: () => number;
  onDue: (lane: DueLane) => void;
}) {
  const { store, commit, maxAttempts, now, onDue } = options;
  return async (ctx: RequestContext, id: string, named: string | undefined): Promise<Delivery> => {
    const { workspace_id } = await findEndpoint(store, ctx, id, named);
    const view = await commit(
      ctx,
      async (tx) => {
        const endpoint = await store.endpoints.byId(id, tx.session);
        if (!endpoint || endpoint.deleted_at !== null) throw new ApiError('NOT_FOUND');
        if (!endpoint.enabled) throw disabled();
        const time = new Date(now()).toISOString();
        const event = { id: newId(), type: 'ping', created_at: time };
        const text = payloadText({ ...event, workspace_id, data: { webhook_id: id } });
        const delivery = newDelivery({ event, text, endpoint, maxAttempts, now: time });
        await store.deliveries.insert(delivery, tx.session);
        const data = deliveryView(delivery);
        tx.emit('webhook.tested', { subject: subjectOf(endpoint), data: { webhook_id: id, delivery: data } });
        return data;
      },
      { queueKey: turnOf(id) },
    );
    onDue({ webhookId: id, workspaceId: workspace_id });
    return view;
  };
}

export function disabled(): ApiError {
  return new ApiError('CONFLICT', { message: 'This webhook is disabled; enable it first.' });
}
