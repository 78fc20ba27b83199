import {
  ApiError,
  type Delivery,
  limits,
  timeOfId,
  type WebhookReplay,
  type WebhookReplayed,
} from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { commitDue, findEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';
import { deliveryView } from './delivery-view.ts';

/** Starts a new series of attempts under the old id. Throws CONFLICT while an attempt is due or under way. */
export async function replayDelivery(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<Delivery> {
  const { deliveries } = service.store;
  const { webhook_id, workspace_id } = await authorizeRecord(ctx, await deliveries.byId(id), named);
  return commitDue(
    service,
    ctx,
    { id: webhook_id, workspace_id },
    async ({ session, emit }, endpoint, now) => {
      const before = await deliveries.byId(id, session);
      if (!before) throw new ApiError('NOT_FOUND');
      const isWaiting =
        before.lease === null && before.next_attempt_at !== null && before.next_attempt_at > now;
      if (before.status === 'pending' && !isWaiting) {
        throw new ApiError('CONFLICT', { message: 'This delivery is on its way; see next_attempt_at.' });
      }
      const maxAttempts = service.config.webhookMaxAttempts;
      await deliveries.restart(endpoint, [id], before.status, { now, maxAttempts, session });
      const data = deliveryView((await deliveries.byId(id, session))!);
      emit('delivery.replayed', { subject: { type: 'delivery', id, version: data.series }, data });
      return data;
    },
    new ApiError('CONFLICT', { message: 'The webhook of this delivery was deleted.' }),
  );
}

/** Starts a new series of attempts of the oldest deliveries in a status, as many as one commit can hold. */
export async function replayWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  { workspace_id, since, status }: WebhookReplay,
): Promise<WebhookReplayed> {
  const found = await findEndpoint(service, ctx, id, workspace_id);
  const { deliveries } = service.store;
  const max = limits.webhookReplayMax;
  return commitDue(service, ctx, found, async ({ session, emit }, endpoint, now) => {
    const replayable = await deliveries.replayable(endpoint, status, since, max + 1, session);
    const ids = replayable.slice(0, max);
    const next = replayable[max];
    const maxAttempts = service.config.webhookMaxAttempts;
    await deliveries.restart(endpoint, ids, status, { now, maxAttempts, session });
    const data = { webhook_id: id, since, status, replayed: ids.length };
    emit('webhook.replayed', { subject: subjectOf(endpoint), data });
    const next_since = next === undefined ? null : new Date(timeOfId(next)).toISOString();
    return { replayed: ids.length, next_since };
  });
}
