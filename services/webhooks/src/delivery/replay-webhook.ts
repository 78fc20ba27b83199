import { limits, timeOfId, type WebhookReplay, type WebhookReplayed } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { findEndpoint, queueKeyOf, readEnabledEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';

/**
 * Starts a new series of attempts of the deliveries in a status, oldest first, as many as one transaction can
 * hold. Throws CONFLICT when the endpoint is disabled.
 */
export async function replayWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  { workspace_id, since, status }: WebhookReplay,
): Promise<WebhookReplayed> {
  const endpoint = await findEndpoint(service, ctx, id, workspace_id);
  const { deliveries } = service.store;
  const maxAttempts = service.config.webhookMaxAttempts;
  const replayed = await service.commit(
    ctx,
    async (tx) => {
      const { session } = tx;
      const current = await readEnabledEndpoint(service, id, tx);
      const max = limits.webhookReplayMax;
      const found = await deliveries.replayable(endpoint, status, since, max + 1, session);
      const ids = found.slice(0, max);
      const next = found[max];
      const now = new Date(service.now()).toISOString();
      await deliveries.restart(endpoint, ids, status, { now, maxAttempts, session });
      tx.emit('webhook.replayed', {
        subject: subjectOf(current),
        data: { webhook_id: id, since, status, replayed: ids.length },
      });
      const next_since = next === undefined ? null : new Date(timeOfId(next)).toISOString();
      return { replayed: ids.length, next_since };
    },
    { queueKey: queueKeyOf(id) },
  );
  service.deliveriesDue(endpoint);
  return replayed;
}
