import {
  ApiError,
  type Delivery,
  limits,
  timeOfId,
  type WebhookReplay,
  type WebhookReplayed,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit } from '@waymark/service-kit/store';
import { subjectOf, turnOf } from '../endpoints/endpoints.ts';
import { findDelivery, findEndpoint } from '../endpoints/find.ts';
import type { DueLane, EndpointRecord, WebhookStore } from '../store/index.ts';
import { deliveryView } from './delivery-view.ts';
import { disabled } from './test-webhook.ts';

/** Replays: a new series of attempts of a delivery that was over, under its old id. */
export function createReplays(options: {
  store: WebhookStore;
  commit: Commit;
  maxAttempts: number;
  now: () => number;
  onDue: (lane: DueLane) => void;
}) {
  const { store, commit, maxAttempts, now, onDue } = options;

  function takesDeliveries(endpoint: EndpointRecord | null): EndpointRecord {
    if (!endpoint || endpoint.deleted_at !== null) {
      throw new ApiError('CONFLICT', { message: 'The webhook of this delivery was deleted.' });
    }
    if (!endpoint.enabled) throw disabled();
    return endpoint;
  }

  return {
    /** Throws CONFLICT when it is on its way already, or its endpoint takes no deliveries. */
    async one(ctx: RequestContext, id: string, named: string | undefined): Promise<Delivery> {
      const { webhook_id, workspace_id } = await findDelivery(store, ctx, id, named);
      const view = await commit(
        ctx,
        async (tx) => {
          const { session } = tx;
          const before = await store.deliveries.byId(id, session);
          if (!before) throw new ApiError('NOT_FOUND');
          const endpoint = takesDeliveries(await store.endpoints.byId(webhook_id, session));
          if (before.status === 'pending') {
            throw new ApiError('CONFLICT', { message: 'This delivery is on its way; see next_attempt_at.' });
          }
          const time = new Date(now()).toISOString();
          await store.deliveries.restart(endpoint, [id], before.status, { now: time, maxAttempts, session });
          const after = await store.deliveries.byId(id, session);
          const data = deliveryView(after!);
          tx.emit('delivery.replayed', { subject: { type: 'delivery', id, version: data.series }, data });
          return data;
        },
        { queueKey: turnOf(webhook_id) },
      );
      onDue({ webhookId: webhook_id, workspaceId: workspace_id });
      return view;
    },

    /** Oldest first, as many as one transaction bears. Throws CONFLICT when the endpoint is disabled. */
    async many(ctx: RequestContext, id: string, input: WebhookReplay): Promise<WebhookReplayed> {
      const { workspace_id } = await findEndpoint(store, ctx, id, input.workspace_id);
      const answer = await commit(
        ctx,
        async (tx) => {
          const { session } = tx;
          const endpoint = takesDeliveries(await store.endpoints.byId(id, session));
          const { since, status } = input;
          const most = limits.webhookReplayMax + 1;
          const found = await store.deliveries.replayable(endpoint, status, since, most, session);
          const next = found[limits.webhookReplayMax];
          const ids = found.slice(0, limits.webhookReplayMax);
          const time = new Date(now()).toISOString();
          await store.deliveries.restart(endpoint, ids, status, { now: time, maxAttempts, session });
          tx.emit('webhook.replayed', {
            subject: subjectOf(endpoint),
            data: { webhook_id: id, since, status, replayed: ids.length },
          });
          const next_since = next === undefined ? null : new Date(timeOfId(next)).toISOString();
          return { replayed: ids.length, next_since };
        },
        { queueKey: turnOf(id) },
      );
      onDue({ webhookId: id, workspaceId: workspace_id });
      return answer;
    },
  };
}
