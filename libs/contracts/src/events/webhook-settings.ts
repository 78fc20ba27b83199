import { z } from 'zod';
import { DELIVERED, deliveryStatuses, webhookFields } from '../resources/webhook.ts';
import { body } from '../schema/body.ts';
import { forCreate, forUpdate } from '../schema/fields.ts';
import { dateTime, workspaceInBody } from '../schema/types.ts';
import { type EventType, events, eventTypes } from './events.ts';

export type SubscribableEventType = {
  [K in EventType]: (typeof events)[K] extends { webhook: true } ? K : never;
}[EventType];

/** The event types that an endpoint may subscribe to. A test sends `ping`, which needs no subscription. */
export const subscribableEventTypes = eventTypes.filter(
  (type): type is SubscribableEventType => events[type].webhook,
);

const subscriptions = () =>
  z
    .array(z.enum(subscribableEventTypes as [SubscribableEventType, ...SubscribableEventType[]]))
    .min(1)
    .refine((value) => new Set(value).size === value.length, { error: 'must not repeat an event type' })
    .meta({ description: DELIVERED, uniqueItems: true, examples: [['decision.created']] });

export const WebhookCreate = body({
  ...workspaceInBody,
  ...forCreate(webhookFields),
  events: subscriptions(),
}).meta({ id: 'WebhookCreate' });
export type WebhookCreate = z.output<typeof WebhookCreate>;

export const WebhookUpdate = body({
  ...workspaceInBody,
  ...forUpdate(webhookFields),
  events: subscriptions().optional(),
  enabled: z
    .boolean()
    .optional()
    .describe(
      'While disabled, pending and new deliveries are held; a replay sends them once it is enabled again',
    ),
}).meta({ id: 'WebhookUpdate', description: 'Absent fields stay as they are' });
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

export const WebhookSecretRotate = body({
  ...workspaceInBody,
  promote: z
    .boolean()
    .default(false)
    .describe(
      'true ends the current rotation instead of starting one: only the new secret signs from now on',
    ),
}).meta({ id: 'WebhookSecretRotate' });
export type WebhookSecretRotate = z.output<typeof WebhookSecretRotate>;

export const WebhookReplay = body({
  ...workspaceInBody,
  since: dateTime().describe('Replays deliveries of events from this time on'),
  status: z
    .enum(deliveryStatuses)
    .exclude(['pending', 'cancelled'])
    .default('failed')
    .describe('Only deliveries with this status'),
}).meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.output<typeof WebhookReplay>;
