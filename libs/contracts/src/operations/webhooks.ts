import { z } from 'zod';
import * as settings from '../events/webhook-settings.ts';
import * as webhook from '../resources/webhook.ts';
import { page, pageQuery, parts } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, inQueryOrBody, ofRecord, SETTINGS_READ, SETTINGS_WRITE } from './presets.ts';

export const webhookOperations = operationTable('webhooks', {
  listWebhooks: {
    route: 'GET /webhooks',
    summary: 'The webhook endpoints of a workspace, newest first; never their secrets',
    ...inQuery(SETTINGS_READ, pageQuery),
    response: { status: 200, schema: page(webhook.Webhook) },
  },
  createWebhook: {
    route: 'POST /webhooks',
    summary: 'Register an endpoint; only this answer has its signing secret',
    ...inQueryOrBody(SETTINGS_WRITE),
    body: settings.WebhookCreate,
    response: { status: 201, schema: webhook.WebhookWithSecret, location: '/webhooks/{id}' },
    errors: ['LIMIT_EXCEEDED'],
    audit: 'webhook.create',
  },
  listWebhookEventTypes: {
    route: 'GET /webhooks/event-types',
    summary: 'Every event type that a delivery may carry, with the JSON Schema of its data',
    ...inQuery(SETTINGS_READ),
    response: { status: 200, schema: page(webhook.WebhookEventType) },
  },
  getWebhook: {
    route: 'GET /webhooks/{id}',
    summary: 'Read an endpoint',
    ...ofRecord(SETTINGS_READ, { include: parts(['stats']) }),
    response: { status: 200, schema: webhook.WebhookWithParts },
  },
  updateWebhook: {
    route: 'PATCH /webhooks/{id}',
    summary: 'Change, disable or enable an endpoint',
    ...ofRecord(SETTINGS_WRITE),
    body: settings.WebhookUpdate,
    response: { status: 200, schema: webhook.Webhook },
    audit: 'webhook.update',
  },
  deleteWebhook: {
    route: 'DELETE /webhooks/{id}',
    summary: 'Delete an endpoint; its pending deliveries are cancelled',
    ...ofRecord(SETTINGS_WRITE),
    response: { status: 204 },
    audit: 'webhook.delete',
  },
  rotateWebhookSecret: {
    route: 'POST /webhooks/{id}/rotate-secret',
    summary: 'Replace the signing secret; both secrets sign for 24 hours or until the new one is promoted',
    ...ofRecord(SETTINGS_WRITE),
    body: settings.WebhookSecretRotate,
    response: { status: 200, schema: webhook.WebhookWithSecret },
    errors: ['CONFLICT'],
    audit: 'webhook.rotate_secret',
  },
  testWebhook: {
    route: 'POST /webhooks/{id}/test',
    summary: 'Send a ping, or an example of an event, to an endpoint, subscribed or not',
    ...ofRecord(SETTINGS_WRITE, {
      event: z
        .enum(['ping', ...settings.subscribableEventTypes])
        .default('ping')
        .describe('What is sent; all but ping have test: true'),
    }),
    forRestrictedKeys: true,
    response: { status: 202, schema: webhook.Delivery },
    errors: ['CONFLICT'],
    audit: 'webhook.test',
  },
  listWebhookDeliveries: {
    route: 'GET /webhooks/{id}/deliveries',
    summary: 'The deliveries to an endpoint, newest first',
    ...ofRecord(SETTINGS_READ, {
      status: z.enum(webhook.deliveryStatuses).optional().describe('How far they are'),
      event: z
        .enum(['ping', ...settings.subscribableEventTypes])
        .optional()
        .describe('Their event type'),
      ...pageQuery,
    }),
    response: { status: 200, schema: page(webhook.Delivery) },
  },
  getWebhookStats: {
    route: 'GET /webhooks/{id}/stats',
    summary: 'The number of deliveries to an endpoint by status, and its attempts hour by hour',
    ...ofRecord(SETTINGS_READ),
    response: { status: 200, schema: webhook.WebhookStats },
  },
  replayWebhook: {
    route: 'POST /webhooks/{id}/replay',
    summary: 'Send the deliveries with a status again, oldest first, each with the same id',
    ...ofRecord(SETTINGS_WRITE),
    body: settings.WebhookReplay,
    forRestrictedKeys: true,
    response: { status: 202, schema: webhook.WebhookReplayed },
    errors: ['CONFLICT'],
    audit: 'webhook.replay',
  },
  getDelivery: {
    route: 'GET /deliveries/{id}',
    summary: 'Read a delivery with its payload and every attempt',
    ...ofRecord(SETTINGS_READ),
    response: { status: 200, schema: webhook.DeliveryWithAttempts },
  },
  replayDelivery: {
    route: 'POST /deliveries/{id}/replay',
    summary: 'Send a delivery again with the same id; one that waits for its next attempt, at once',
    ...ofRecord(SETTINGS_WRITE),
    forRestrictedKeys: true,
    response: { status: 202, schema: webhook.Delivery },
    errors: ['CONFLICT'],
    audit: 'delivery.replay',
  },
});
