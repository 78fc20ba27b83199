import { authorizeRecord, type Handlers } from '@waymark/service-kit/http';
import { viewPage } from '@waymark/service-kit/store';
import type { WebhooksContext } from './context.ts';
import { deliveryView, deliveryWithAttempts } from './delivery/delivery-view.ts';
import { replayDelivery, replayWebhook } from './delivery/replay.ts';
import { testWebhook } from './delivery/test-webhook.ts';
import { deleteWebhook, updateWebhook } from './endpoints/change-webhook.ts';
import { createWebhook } from './endpoints/create-webhook.ts';
import { webhookEventTypes } from './endpoints/event-types.ts';
import { findEndpoint } from './endpoints/find-endpoint.ts';
import { rotateWebhookSecret } from './endpoints/rotate-webhook-secret.ts';
import { webhookView } from './endpoints/webhook-view.ts';

export function createRoutes(service: WebhooksContext): Handlers<'webhooks'> {
  const { store, now } = service;

  async function statsOf(id: string) {
    const [counts, history] = await Promise.all([store.counters.read(id), store.history.read(id, now())]);
    return { ...counts, history };
  }

  return {
    async listWebhooks({ ctx, query: { workspace_id: _, ...page } }) {
      const found = await store.endpoints.page(ctx.access.workspaceId, page);
      return viewPage(found, (endpoint) => webhookView(endpoint, now()));
    },

    createWebhook: ({ ctx, body }) => createWebhook(service, ctx, body),

    listWebhookEventTypes: () => ({ data: [...webhookEventTypes], next_cursor: null }),

    async getWebhook({ ctx, params, query }) {
      const endpoint = await findEndpoint(service, ctx, params.id, query.workspace_id);
      const view = webhookView(endpoint, now());
      return query.include ? { ...view, included: { stats: await statsOf(endpoint.id) } } : view;
    },

    updateWebhook: ({ ctx, params, query, body }) =>
      updateWebhook(service, ctx, params.id, { ...query, ...body }),

    deleteWebhook: async ({ ctx, params, query }) =>
      void (await deleteWebhook(service, ctx, params.id, query.workspace_id)),

    rotateWebhookSecret: ({ ctx, params, query, body }) =>
      rotateWebhookSecret(service, ctx, params.id, { ...query, ...body }),

    testWebhook: ({ ctx, params, query }) => testWebhook(service, ctx, params.id, query),

    async listWebhookDeliveries({ ctx, params, query: { workspace_id, cursor, limit, ...filters } }) {
      const endpoint = await findEndpoint(service, ctx, params.id, workspace_id);
      return viewPage(await store.deliveries.page(endpoint, filters, { cursor, limit }), deliveryView);
    },

    async getWebhookStats({ ctx, params, query }) {
      return statsOf((await findEndpoint(service, ctx, params.id, query.workspace_id)).id);
    },

    replayWebhook: ({ ctx, params, query, body }) =>
      replayWebhook(service, ctx, params.id, { ...query, ...body }),

    async getDelivery({ ctx, params, query }) {
      const found = await store.deliveries.byId(params.id);
      return deliveryWithAttempts(await authorizeRecord(ctx, found, query.workspace_id));
    },

    replayDelivery: ({ ctx, params, query }) => replayDelivery(service, ctx, params.id, query.workspace_id),

    async fetchDocument({ body }) {
      const { status, response_body } = await service.fetchDocument(body.url);
      return { text: status === 200 ? response_body : null };
    },

    purgeWebhooks: ({ params }) => service.workspaces.purge(params.id),
  };
}
