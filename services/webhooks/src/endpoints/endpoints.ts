import {
  ApiError,
  type Changes,
  newId,
  type Webhook,
  type WebhookCreate,
  type WebhookUpdate,
  type WebhookWithSecret,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type Commit, changesBetween } from '@waymark/service-kit/store';
import type { DueLane, EndpointRecord, WebhookStore } from '../store/index.ts';
import { findEndpoint } from './find.ts';
import type { SecretBox } from './secret-box.ts';
import { makeSecret } from './signing-secret.ts';
import { webhookView, withoutSecret } from './webhook-view.ts';

const AUDITED = ['url', 'description', 'events', 'max_per_second', 'enabled'] as const;

/** Paths and queries of URLs are often as good as a password: the audit log, which many may read, gets the origin. */
function auditedChanges(before: EndpointRecord | null, after: EndpointRecord | null): Changes {
  const changes = changesBetween(before, after, AUDITED);
  const origin = (endpoint: EndpointRecord | null) => endpoint && new URL(endpoint.url).origin;
  return changes['url'] ? { ...changes, url: { before: origin(before), after: origin(after) } } : changes;
}

const laneOf = ({ id, workspace_id }: EndpointRecord) => ({ webhookId: id, workspaceId: workspace_id });
/** Changes of one endpoint by this process wait for each other, instead of conflicting in the store. */
export const turnOf = (webhookId: string) => `webhook/${webhookId}`;
export const subjectOf = ({ id, version }: EndpointRecord) => ({ type: 'webhook', id, version });

export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints(options: {
  store: WebhookStore;
  commit: Commit;
  box: SecretBox;
  checkTarget: (url: string) => Promise<void>;
  perWorkspace: number;
  now: () => number;
  /** After an endpoint was changed, so that nothing more is sent to what it was. */
  onChanged: (lane: DueLane) => void;
}) {
  const { store, commit, box, checkTarget, perWorkspace, now, onChanged } = options;
  const { endpoints } = store;
  const time = () => new Date(now()).toISOString();

  return {
    /** The answer has the secret, and a repeated answer has not. Throws LIMIT_EXCEEDED. */
    async create(ctx: RequestContext, input: WebhookCreate): Promise<WebhookWithSecret> {
      await checkTarget(input.url);
      const { workspaceId } = ctx.access;
      return commit<WebhookWithSecret>(
        ctx,
        async (tx) => {
          if ((await endpoints.countGuarded(workspaceId, tx.session)) >= perWorkspace) {
            throw new ApiError('LIMIT_EXCEEDED', {
              message: `A workspace has at most ${perWorkspace} webhooks.`,
            });
          }
          const secret = makeSecret();
          const endpoint = newEndpoint(input, workspaceId, time(), (id) => box.encrypt(id, secret));
          await endpoints.insert(endpoint, tx.session);
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
    },

    /** The same values again change nothing and leave no event. */
    async update(ctx: RequestContext, id: string, input: WebhookUpdate): Promise<Webhook> {
      await findEndpoint(store, ctx, id, input.workspace_id);
      if (input.url !== undefined) await checkTarget(input.url);
      const { endpoint, isChanged } = await commit(ctx, async (tx) => {
        const before = await endpoints.byId(id, tx.session);
        if (!before || before.deleted_at !== null) throw new ApiError('NOT_FOUND');
        const fields = fieldsOf(input, before, time());
        const after: EndpointRecord = { ...before, ...fields };
        const changes = auditedChanges(before, after);
        if (Object.keys(changes).length === 0) return { endpoint: before, isChanged: false };
        const stamped = { ...after, updated_at: time(), version: before.version + 1 };
        const { updated_at, version } = stamped;
        await endpoints.update(id, { ...fields, updated_at, version }, tx.session);
        tx.emit('webhook.updated', {
          subject: subjectOf(stamped),
          data: webhookView(stamped, now()),
          changes,
        });
        return { endpoint: stamped, isChanged: true };
      });
      if (isChanged) onChanged(laneOf(endpoint));
      return webhookView(endpoint, now());
    },

    /** Leaves a tombstone without URL and secrets; what is pending or held is cancelled from then on. */
    async remove(ctx: RequestContext, id: string, named: string | undefined): Promise<void> {
      await findEndpoint(store, ctx, id, named);
      const endpoint = await commit(ctx, async (tx) => {
        const before = await endpoints.byId(id, tx.session);
        if (!before || before.deleted_at !== null) throw new ApiError('NOT_FOUND');
        const fields = {
          url: '',
          description: '',
          enabled: false,
          secret: '',
          previous_secret: null,
          previous_secret_until: null,
          deleted_at: time(),
          settling: true,
          version: before.version + 1,
        };
        await endpoints.update(id, fields, tx.session);
        const after = { ...before, ...fields };
        tx.emit('webhook.deleted', {
          subject: subjectOf(after),
          data: { id },
          changes: auditedChanges(before, null),
        });
        return after;
      });
      onChanged(laneOf(endpoint));
    },
  };
}

function newEndpoint(
  input: WebhookCreate,
  workspaceId: string,
  now: string,
  encryptFor: (id: string) => string,
): EndpointRecord {
  const id = newId();
  const { url, events, description, max_per_second } = input;
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
    secret: encryptFor(id),
    previous_secret: null,
    previous_secret_until: null,
    created_at: now,
    updated_at: now,
    version: 1,
    deleted_at: null,
    settling: false,
    guard: 0,
  };
}

/** What an update sets. Another URL, or being enabled again, begins without a past. */
function fieldsOf(input: WebhookUpdate, before: EndpointRecord, now: string): Partial<EndpointRecord> {
  const { workspace_id: _, enabled, ...settings } = input;
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const isFresh = (settings.url !== undefined && settings.url !== before.url) || (enabled && !before.enabled);
  return {
    ...given,
    ...(isFresh && { failing_since: null }),
    ...(enabled === true &&
      !before.enabled && { enabled, disabled_reason: null, disabled_at: null, settling: false }),
    ...(enabled === false &&
      before.enabled && { enabled, disabled_reason: 'user', disabled_at: now, settling: true }),
  };
}
