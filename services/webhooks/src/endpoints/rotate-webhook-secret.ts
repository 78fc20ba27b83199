import { ApiError, limits, type WebhookSecretRotate, type WebhookWithSecret } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type Commit, changesBetween } from '@waymark/service-kit/store';
import type { DueLane, EndpointRecord, WebhookStore } from '../store/index.ts';
import { subjectOf, turnOf } from './endpoints.ts';
import { findEndpoint } from './find.ts';
import type { SecretBox } from './secret-box.ts';
import { makeSecret } from './signing-secret.ts';
import { isRotating, webhookView, withoutSecret } from './webhook-view.ts';

/**
 * Starts a rotation: a new secret, and the old one beside it for 24 hours. Or ends the one under way, so that the new
 * secret alone signs. Throws CONFLICT when one is under way already, or when there is none to end.
 */
export function rotateSecretVerb(options: {
  store: WebhookStore;
  commit: Commit;
  box: SecretBox;
  now: () => number;
  onChanged: (lane: DueLane) => void;
}) {
  const { store, commit, box, now, onChanged } = options;

  function rotation(endpoint: EndpointRecord, secret: string): Partial<EndpointRecord> {
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

  function promotion(endpoint: EndpointRecord): Partial<EndpointRecord> {
    if (isRotating(endpoint, now())) return { previous_secret: null, previous_secret_until: null };
    throw new ApiError('CONFLICT', {
      message: 'No rotation is under way; leave out "promote" to start one.',
    });
  }

  return async (
    ctx: RequestContext,
    id: string,
    { workspace_id, promote }: WebhookSecretRotate,
  ): Promise<WebhookWithSecret> => {
    await findEndpoint(store, ctx, id, workspace_id);
    const answer = await commit<WebhookWithSecret>(
      ctx,
      async (tx) => {
        const before = await store.endpoints.byId(id, tx.session);
        if (!before || before.deleted_at !== null) throw new ApiError('NOT_FOUND');
        const secret = makeSecret();
        const fields = {
          ...(promote ? promotion(before) : rotation(before, secret)),
          updated_at: new Date(now()).toISOString(),
          version: before.version + 1,
        };
        const after = { ...before, ...fields };
        await store.endpoints.update(id, fields, tx.session);
        const data = webhookView(after, now());
        const changes = changesBetween(before, after, ['previous_secret_until']);
        tx.emit('webhook.secret_rotated', { subject: subjectOf(after), data, changes });
        return promote ? data : { ...data, secret };
      },
      { redact: withoutSecret, queueKey: turnOf(id) },
    );
    onChanged({ webhookId: id, workspaceId: answer.workspace_id });
    return answer;
  };
}
