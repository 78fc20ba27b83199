import {
  ApiError,
  makeWebhookSecret,
  newId,
  userOf,
  type WebhookCreate,
  type WebhookWithSecret,
} from '@waymark/contracts';
import { clientNetwork, type RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';
import { auditedChanges, eventView, subjectOf, webhookView, withoutSecret } from './webhook-view.ts';

/** Creates an endpoint. The response to a repeated request lacks the secret. Throws LIMIT_EXCEEDED. */
export async function createWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  input: WebhookCreate,
): Promise<WebhookWithSecret> {
  const { store, box, commit, now } = service;
  service.checkTarget(input.url);
  // Without NATS the position is unknown: the endpoint may get an older event rather than miss a new one.
  const created_after = await service.latestPosition().catch(() => null);
  const { workspaceId } = ctx.access;
  const max = service.config.webhookEndpointsPerWorkspace;
  return commit<WebhookWithSecret>(
    ctx,
    async (tx) => {
      if ((await store.endpoints.countGuarded(workspaceId, tx.session)) >= max) {
        throw new ApiError('LIMIT_EXCEEDED', { message: `A workspace has at most ${max} webhooks.` });
      }
      const id = newId();
      const secret = makeWebhookSecret();
      const time = new Date(now()).toISOString();
      const endpoint: EndpointRecord = {
        ...input,
        id,
        workspace_id: workspaceId,
        enabled: true,
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        failing_day: 0,
        failing_days: 0,
        secret: box.encrypt(id, secret),
        previous_secret: null,
        previous_secret_until: null,
        created_at: time,
        updated_at: time,
        version: 1,
        deleted_at: null,
        settling: false,
        created_after,
        sender: null,
        created_by: userOf(ctx.principal),
        created_from: ctx.clientAddress && box.hashNetwork(clientNetwork(ctx.clientAddress)),
        guard: 0,
      };
      await store.endpoints.insert(endpoint, tx.session);
      const data = webhookView(endpoint, now());
      const changes = auditedChanges(null, endpoint);
      tx.emit('webhook.created', { subject: subjectOf(endpoint), data: eventView(endpoint, now()), changes });
      return { ...data, secret };
    },
    { redact: withoutSecret, queueKey: `webhooks/${workspaceId}` },
  );
}
