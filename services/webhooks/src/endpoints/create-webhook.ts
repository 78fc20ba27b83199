import { ApiError, newId, type WebhookCreate, type WebhookWithSecret } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';
import { makeSecret } from './signing-secret.ts';
import { auditedChanges, subjectOf, webhookView, withoutSecret } from './webhook-view.ts';

/**
 * Creates an endpoint. The answer contains its secret; the answer to a repeated request does not. Throws
 * LIMIT_EXCEEDED.
 */
export async function createWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  input: WebhookCreate,
): Promise<WebhookWithSecret> {
  const { store, commit, now } = service;
  await service.checkTarget(input.url);
  const { workspaceId } = ctx.access;
  const max = service.config.webhookEndpointsPerWorkspace;
  return commit<WebhookWithSecret>(
    ctx,
    async (tx) => {
      if ((await store.endpoints.countGuarded(workspaceId, tx.session)) >= max) {
        throw new ApiError('LIMIT_EXCEEDED', { message: `A workspace has at most ${max} webhooks.` });
      }
      const secret = makeSecret();
      const endpoint = newEndpoint(service, workspaceId, input, secret);
      await store.endpoints.insert(endpoint, tx.session);
      const data = webhookView(endpoint, now());
      tx.emit('webhook.created', {
        subject: subjectOf(endpoint),
        data,
        changes: auditedChanges(null, endpoint),
      });
      return { ...data, secret };
    },
    { redact: withoutSecret, queueKey: `webhooks/${workspaceId}` },
  );
}

function newEndpoint(
  { box, now }: WebhooksContext,
  workspaceId: string,
  { url, events, description, max_per_second }: WebhookCreate,
  secret: string,
): EndpointRecord {
  const id = newId();
  const time = new Date(now()).toISOString();
  return {
    id,
    workspace_id: workspaceId,
    url,
    description,
    events,
    max_per_second,
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
    sender: null,
    guard: 0,
  };
}
