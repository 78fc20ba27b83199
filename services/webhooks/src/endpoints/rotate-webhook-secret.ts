import { ApiError, limits, type WebhookSecretRotate, type WebhookWithSecret } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';
import { storeChange } from './change-webhook.ts';
import { findEndpoint, queueKeyOf, readEndpoint } from './find-endpoint.ts';
import { makeSecret } from './signing-secret.ts';
import { isRotating, subjectOf, webhookView, withoutSecret } from './webhook-view.ts';

/**
 * Starts a rotation: the new secret and the old one both sign for 24 hours. With `promote` it ends the
 * current rotation: only the new secret signs. Throws CONFLICT when a rotation is already under way, or when
 * there is none to end.
 */
export async function rotateWebhookSecret(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  { workspace_id, promote }: WebhookSecretRotate,
): Promise<WebhookWithSecret> {
  await findEndpoint(service, ctx, id, workspace_id);
  const webhook = await service.commit<WebhookWithSecret>(
    ctx,
    async (tx) => {
      const before = await readEndpoint(service, id, tx);
      const secret = makeSecret();
      const fields = promote ? promotion(service, before) : rotation(service, before, secret);
      const after = await storeChange(service, tx, before, fields);
      const data = webhookView(after, service.now());
      const changes = changesBetween(before, after, ['previous_secret_until']);
      tx.emit('webhook.secret_rotated', { subject: subjectOf(after), data, changes });
      return promote ? data : { ...data, secret };
    },
    { redact: withoutSecret, queueKey: queueKeyOf(id) },
  );
  service.endpointChanged(webhook);
  return webhook;
}

function rotation(
  { box, now }: WebhooksContext,
  endpoint: EndpointRecord,
  secret: string,
): Partial<EndpointRecord> {
  if (isRotating(endpoint, now())) {
    throw new ApiError('CONFLICT', {
      message: `A rotation is under way until ${endpoint.previous_secret_until}; end it with {"promote": true} first.`,
    });
  }
  return {
    secret: box.encrypt(endpoint.id, secret),
    previous_secret: endpoint.secret,
    previous_secret_until: new Date(now() + limits.webhookSecretOverlapSeconds * 1000).toISOString(),
  };
}

function promotion({ now }: WebhooksContext, endpoint: EndpointRecord): Partial<EndpointRecord> {
  if (isRotating(endpoint, now())) return { previous_secret: null, previous_secret_until: null };
  throw new ApiError('CONFLICT', { message: 'No rotation is under way; leave out "promote" to start one.' });
}
