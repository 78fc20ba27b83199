import type { Webhook, WebhookUpdate } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { WebhooksContext } from '../context.ts';
import type { EndpointRecord } from '../store/index.ts';
import { findEndpoint, readEndpoint } from './find-endpoint.ts';
import { auditedChanges, eventView, subjectOf, webhookView } from './webhook-view.ts';

/** Changes the settings of an endpoint. An update that changes nothing leaves no event. */
export async function updateWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  { workspace_id, ...input }: WebhookUpdate,
): Promise<Webhook> {
  await findEndpoint(service, ctx, id, workspace_id);
  if (input.url !== undefined) service.checkTarget(input.url);
  const { endpoint, isChanged } = await service.commit(ctx, async (tx) => {
    const before = await readEndpoint(service, id, tx);
    const fields = updatedFields(input, before, new Date(service.now()).toISOString());
    const changes = auditedChanges(before, { ...before, ...fields });
    if (Object.keys(changes).length === 0) return { endpoint: before, isChanged: false };
    const after = await storeChange(service, tx, before, fields);
    const data = eventView(after, service.now());
    tx.emit('webhook.updated', { subject: subjectOf(after), data, changes });
    return { endpoint: after, isChanged: true };
  });
  if (isChanged) service.endpointChanged(endpoint);
  return webhookView(endpoint, service.now());
}

/** Deletes an endpoint; a tombstone without URL and secrets stays, and its deliveries are cancelled. */
export async function deleteWebhook(
  service: WebhooksContext,
  ctx: RequestContext,
  id: string,
  named: string | undefined,
): Promise<void> {
  await findEndpoint(service, ctx, id, named);
  const endpoint = await service.commit(ctx, async (tx) => {
    const before = await readEndpoint(service, id, tx);
    const after = await storeChange(service, tx, before, {
      url: '',
      description: '',
      enabled: false,
      secret: '',
      previous_secret: null,
      previous_secret_until: null,
      deleted_at: new Date(service.now()).toISOString(),
      settling: true,
    });
    const changes = auditedChanges(before, null);
    tx.emit('webhook.deleted', { subject: subjectOf(after), data: { id }, changes });
    return after;
  });
  service.endpointChanged(endpoint);
}

/** Stores changed fields as the endpoint's next version, and returns the endpoint. */
export async function storeChange(
  { store, now }: WebhooksContext,
  tx: Transaction,
  before: EndpointRecord,
  fields: Partial<EndpointRecord>,
): Promise<EndpointRecord> {
  const changed = { ...fields, updated_at: new Date(now()).toISOString(), version: before.version + 1 };
  await store.endpoints.update(before.id, changed, tx.session);
  return { ...before, ...changed };
}

/** Returns the changed fields. A new URL, or enabling the endpoint again, clears its failures. */
function updatedFields(
  { enabled, ...settings }: Omit<WebhookUpdate, 'workspace_id'>,
  before: EndpointRecord,
  now: string,
): Partial<EndpointRecord> {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const isMoved = settings.url !== undefined && settings.url !== before.url;
  const isSwitched = enabled !== undefined && enabled !== before.enabled;
  return {
    ...given,
    ...((isMoved || (isSwitched && enabled)) && { failing_since: null }),
    ...(isSwitched && {
      enabled,
      disabled_reason: enabled ? null : ('user' as const),
      disabled_at: enabled ? null : now,
      settling: !enabled,
    }),
  };
}
