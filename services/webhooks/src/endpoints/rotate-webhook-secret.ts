import {
  ApiError,
  limits,
  makeWebhookSecret,
  type WebhookSecretRotate,
  type WebhookWithSecret,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { changesBetween } from '@waymark/service-kit/store';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';
import { storeChange } from './change-webhook.ts';
import { findEndpoint, queueKeyOf, readEndpoint } from './find-endpoint.ts';
import { eventView, isRotating, subjectOf, webhookView, withoutSecret } from './webhook-view.ts';

/**
 * Starts a rotation, during which both the new and the old secret sign; or ends the rotation with `promote`.
 * Throws CONFLICT when a rotation is under way already, or when there is no rotation to end.
 */
export async function rotateWebhookSecret(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  { workspace_id, promote }: WebhookSecretRotate,
): Promise<WebhookWithSecret> {
  const { box, now } = service;
  await findEndpoint(service, ctx, id, workspace_id);
  const webhook = await service.commit<WebhookWithSecret>(
    ctx,
    async (tx) => {
      const before = await readEndpoint(service, id, tx);
      refuseUnlessPossible(promote, before, now());
      const secret = makeWebhookSecret();
      const fields = promote
        ? { previous_secret: null, previous_secret_until: null }
        : {
            secret: box.encrypt(id, secret),
            previous_secret: before.secret,
            previous_secret_until: new Date(now() + limits.webhookSecretOverlapSeconds * 1000).toISOString(),
          };
      const after = await storeChange(service, tx, before, fields);
      const data = webhookView(after, now());
      const changes = changesBetween(before, after, ['previous_secret_until']);
      tx.emit('webhook.secret_rotated', {
        subject: subjectOf(after),
        data: eventView(after, now()),
        changes,
      });
      return promote ? data : { ...data, secret };
    },
    { redact: withoutSecret, queueKey: queueKeyOf(id) },
  );
  service.endpointChanged(webhook);
  return webhook;
}

function refuseUnlessPossible(promote: boolean, endpoint: EndpointRecord, nowMs: number): void {
  if (isRotating(endpoint, nowMs) === promote) return;
  const message = promote
    ? 'No rotation is under way; leave out "promote" to start one.'
    : `A rotation is under way until ${endpoint.previous_secret_until}; end it with {"promote": true} first.`;
  throw new ApiError('CONFLICT', { message });
}
