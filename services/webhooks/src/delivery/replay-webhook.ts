import { limits, timeOfId, type WebhookReplay, type WebhookReplayed } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import { commitDue, findEndpoint } from '../endpoints/find-endpoint.ts';
import { subjectOf } from '../endpoints/webhook-view.ts';

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
