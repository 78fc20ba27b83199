import { z } from 'zod';
import { limits } from '../limits.ts';
import { deliveryStatuses } from '../resources/webhook.ts';
import { body, text, uuid } from '../schema/types.ts';
import { type EventType, events } from './events.ts';

export type SubscribableEventType = {
  [K in EventType]: (typeof events)[K] extends { webhook: true } ? K : never;
}[EventType];

/** The event types that an endpoint may subscribe to; `ping` comes unasked, when a test is. */
export const subscribableEventTypes = (Object.keys(events) as EventType[]).filter(
  (type): type is SubscribableEventType => events[type].webhook,
);

const workspace = { workspaceId: uuid().optional().describe('Here or in the query') };
const url = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an https URL' })
    .max(limits.urlCharacters)
    .describe('https, public');
const description = () => text(limits.titleCharacters);
const maxPerSecond = () =>
  z
    .number()
    .int()
    .min(1)
    .max(limits.webhookPerSecondMax)
    .nullable()
    .describe('Attempts in any second, at most; null: as many as the installation sends');
const subscriptions = () =>
  z
    .array(z.enum(subscribableEventTypes as [SubscribableEventType, ...SubscribableEventType[]]))
    .min(1)
    .refine((value) => new Set(value).size === value.length, { error: 'must not repeat an event type' });

export const WebhookCreate = body({
  ...workspace,
  url: url(),
  events: subscriptions(),
  description: description().default(''),
  maxPerSecond: maxPerSecond().default(null),
}).meta({ id: 'WebhookCreate' });
export type WebhookCreate = z.output<typeof WebhookCreate>;

export const WebhookUpdate = body({
  ...workspace,
  url: url().optional(),
  events: subscriptions().optional(),
  description: description().optional(),
  maxPerSecond: maxPerSecond().optional(),
  enabled: z
    .boolean()
    .optional()
    .describe('Disabling keeps what is pending and what comes as held; a replay sends it once enabled again'),
}).meta({ id: 'WebhookUpdate', description: 'Absent fields stay as they are' });
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

export const WebhookSecretRotate = body({
  ...workspace,
  promote: z
    .boolean()
    .default(false)
    .describe(
      'true ends the rotation under way instead of starting one: the new secret alone signs from now on',
    ),
}).meta({ id: 'WebhookSecretRotate' });
export type WebhookSecretRotate = z.output<typeof WebhookSecretRotate>;

export const WebhookReplay = body({
  ...workspace,
  since: z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value).toISOString())
    .describe('Deliveries of events from then on'),
  status: z.enum(deliveryStatuses).exclude(['pending', 'cancelled']).default('failed'),
}).meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.output<typeof WebhookReplay>;
