import { z } from 'zod';
import {
  WebhookCreate,
  WebhookReplay,
  WebhookSecretRotate,
  WebhookUpdate,
} from '../events/webhook-settings.ts';
import {
  Delivery,
  DeliveryWithAttempts,
  deliveryStatuses,
  Webhook,
  WebhookEventType,
  WebhookReplayed,
  WebhookStats,
  WebhookWithSecret,
} from '../resources/webhook.ts';
import { query } from '../schema/body.ts';
import { maybeInWorkspace, page, pageQuery } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import {
  IN_QUERY,
  IN_QUERY_OR_BODY,
  IN_RECORD,
  PAGE_IN_QUERY,
  SETTINGS_READ,
  SETTINGS_WRITE,
} from './presets.ts';

/** The record names its workspace; a workspace in the query must be the same. */
const maybe = { ...maybeInWorkspace };

export const webhookOperations = operationTable('webhooks', {
  listWebhooks: {
    route: 'GET /webhooks',
    summary: 'The webhook endpoints of a workspace, newest first; never their secrets',
    ...SETTINGS_READ,
    ...PAGE_IN_QUERY,
    response: { status: 200, schema: page(Webhook) },
  },
  createWebhook: {
    route: 'POST /webhooks',
    summary: 'Register an endpoint; only this answer has its signing secret',
    ...SETTINGS_WRITE,
    ...IN_QUERY_OR_BODY,
    body: WebhookCreate,
    response: { status: 201, schema: WebhookWithSecret },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'webhook.create',
  },
  listWebhookEventTypes: {
    route: 'GET /webhooks/event-types',
    summary: 'Every event type that a delivery may carry, with the JSON Schema of its data',
    ...SETTINGS_READ,
    ...IN_QUERY,
    response: { status: 200, schema: page(WebhookEventType) },
  },
  getWebhook: {
    route: 'GET /webhooks/{id}',
    summary: 'Read an endpoint',
    ...SETTINGS_READ,
    ...IN_RECORD,
    response: { status: 200, schema: Webhook },
  },
  updateWebhook: {
    route: 'PATCH /webhooks/{id}',
    summary: 'Change, disable or enable an endpoint',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    body: WebhookUpdate,
    response: { status: 200, schema: Webhook },
    audit: 'webhook.update',
  },
  deleteWebhook: {
    route: 'DELETE /webhooks/{id}',
    summary: 'Delete an endpoint; its pending deliveries are cancelled',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    response: { status: 204 },
    audit: 'webhook.delete',
  },
  rotateWebhookSecret: {
    route: 'POST /webhooks/{id}/rotate-secret',
    summary: 'Replace the signing secret; both secrets sign for 24 hours or until the new one is promoted',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    body: WebhookSecretRotate,
    response: { status: 200, schema: WebhookWithSecret },
    errors: ['CONFLICT'],
    audit: 'webhook.rotate_secret',
  },
  testWebhook: {
    route: 'POST /webhooks/{id}/test',
    summary: 'Send a ping event to an endpoint',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    response: { status: 202, schema: Delivery },
    errors: ['CONFLICT'],
    audit: 'webhook.test',
  },
  listWebhookDeliveries: {
    route: 'GET /webhooks/{id}/deliveries',
    summary: 'The deliveries to an endpoint, newest first',
    ...SETTINGS_READ,
    workspace: 'record',
    query: query({
      ...maybe,
      status: z.enum(deliveryStatuses).optional(),
      event: z.string().max(100).optional().describe('For example decision.created'),
      ...pageQuery,
    }),
    response: { status: 200, schema: page(Delivery) },
  },
  getWebhookStats: {
    route: 'GET /webhooks/{id}/stats',
    summary: 'The number of deliveries to an endpoint by status, and its attempts hour by hour',
    ...SETTINGS_READ,
    ...IN_RECORD,
    response: { status: 200, schema: WebhookStats },
  },
  replayWebhook: {
    route: 'POST /webhooks/{id}/replay',
    summary: 'Send the deliveries with a status again, oldest first, each with the same id',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    body: WebhookReplay,
    response: { status: 202, schema: WebhookReplayed },
    errors: ['CONFLICT'],
    audit: 'webhook.replay',
  },
  getDelivery: {
    route: 'GET /deliveries/{id}',
    summary: 'Read a delivery with its payload and every attempt',
    ...SETTINGS_READ,
    ...IN_RECORD,
    response: { status: 200, schema: DeliveryWithAttempts },
  },
  replayDelivery: {
    route: 'POST /deliveries/{id}/replay',
    summary: 'Send a delivery again with the same id',
    ...SETTINGS_WRITE,
    ...IN_RECORD,
    response: { status: 202, schema: Delivery },
    errors: ['CONFLICT'],
    audit: 'delivery.replay',
  },
});
