import type { Handlers } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import { deliveryView, deliveryWithAttempts } from './delivery/delivery-view.ts';
import type { createReplays } from './delivery/replay.ts';
import type { testWebhookVerb } from './delivery/test-webhook.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import { webhookEventTypes } from './endpoints/event-types.ts';
import { findDelivery, findEndpoint } from './endpoints/find.ts';
import type { rotateSecretVerb } from './endpoints/rotate-webhook-secret.ts';
import { webhookView } from './endpoints/webhook-view.ts';
import type { WebhookStore } from './store/index.ts';

export function webhookRoutes(
  { now }: Pick<ServiceRuntime, 'now'>,
  store: WebhookStore,
  verbs: {
    endpoints: Endpoints;
    rotateSecret: ReturnType<typeof rotateSecretVerb>;
    testWebhook: ReturnType<typeof testWebhookVerb>;
    replays: ReturnType<typeof createReplays>;
    purge: WorkspacePurge['purge'];
  },
): Handlers<'webhooks'> {
  const { endpoints, rotateSecret, testWebhook, replays } = verbs;
  return {
    async listWebhooks({ query: { workspace_id, ...page } }) {
      const { items, next_cursor } = await store.endpoints.page(workspace_id, page);
      return { data: items.map((endpoint) => webhookView(endpoint, now())), next_cursor };
    },

    createWebhook: ({ ctx, body }) => endpoints.create(ctx, body),

    listWebhookEventTypes: () => ({ data: [...webhookEventTypes], next_cursor: null }),

    async getWebhook({ ctx, params, query }) {
      return webhookView(await findEndpoint(store, ctx, params.id, query.workspace_id), now());
    },

    updateWebhook: ({ ctx, params, query, body }) =>
      endpoints.update(ctx, params.id, { ...body, workspace_id: body.workspace_id ?? query.workspace_id }),

    async deleteWebhook({ ctx, params, query }) {
      await endpoints.remove(ctx, params.id, query.workspace_id);
      return undefined;
    },

    rotateWebhookSecret: ({ ctx, params, query, body }) =>
      rotateSecret(ctx, params.id, { ...body, workspace_id: body.workspace_id ?? query.workspace_id }),

    testWebhook: ({ ctx, params, query }) => testWebhook(ctx, params.id, query.workspace_id),

    async listWebhookDeliveries({ ctx, params, query: { workspace_id, cursor, limit, ...filters } }) {
      const endpoint = await findEndpoint(store, ctx, params.id, workspace_id);
      const { items, next_cursor } = await store.deliveries.page(endpoint, filters, { cursor, limit });
      return { data: items.map(deliveryView), next_cursor };
    },

    async getWebhookStats({ ctx, params, query }) {
      const { id } = await findEndpoint(store, ctx, params.id, query.workspace_id);
      const [counts, history] = await Promise.all([store.counters.read(id), store.history.read(id, now())]);
      return { ...counts, history };
    },

    replayWebhook: ({ ctx, params, query, body }) =>
      replays.many(ctx, params.id, { ...body, workspace_id: body.workspace_id ?? query.workspace_id }),

    async getDelivery({ ctx, params, query }) {
      return deliveryWithAttempts(await findDelivery(store, ctx, params.id, query.workspace_id));
    },

    replayDelivery: ({ ctx, params, query }) => replays.one(ctx, params.id, query.workspace_id),

    purgeWebhooks: ({ params }) => verbs.purge(params.id),
  };
}
