import { z } from 'zod';
import { limits, webhookPorts } from '../limits.ts';
import { defaultsOf, example, field, inRecord } from '../schema/fields.ts';
import { component, count, included, integer, text, time, uuid } from '../schema/types.ts';

export const disabledReasons = ['user', 'gone', 'failing'] as const;
/** `waymark` is the signed event; the others are messages as the incoming webhooks of chats take them. */
export const webhookFormats = ['waymark', 'slack', 'teams', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
export type ChatFormat = Exclude<WebhookFormat, 'waymark'>;
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const;

/** Without a user name. A port is a number; which ones are allowed is a setting of the installation. */
const ENDPOINT_URL =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@\\:[\]]+)(?::[0-9]{1,5})?(?:[/?#]\S*)?$/;

export const DELIVERED = 'The event types that are delivered; GET /webhooks/event-types lists all';

/** The schema of the event types is not here, because it depends on the events, which import this file. */
export const webhookFields = {
  url: field(
    z
      .url({ protocol: /^https?$/, error: 'must be an https URL', abort: true })
      .max(limits.urlCharacters)
      .regex(ENDPOINT_URL, { error: 'must be a URL, like https://example.com/webhooks' })
      .meta({
        description: `A public address, by https on port ${webhookPorts.join(' or ')} (the operator can allow others)`,
        format: 'uri',
        'x-default-ports': webhookPorts,
      }),
    { kept: z.string(), example: 'https://example.com/webhooks' },
  ),
  description: field(text(limits.titleCharacters).describe('What the endpoint is for'), {
    default: '',
    example: 'Tells the release desk.',
  }),
  format: field(
    z
      .enum(webhookFormats)
      .describe(
        'What is sent: waymark, the event as JSON; slack, teams or discord, a message that an incoming webhook of that chat shows',
      ),
    { default: 'waymark' },
  ),
  max_per_second: field(
    z
      .number()
      .int()
      .min(1)
      .max(limits.webhookPerSecondMax)
      .nullable()
      .describe('The most attempts in any second, over all replicas; null for no limit of its own'),
    { default: null },
  ),
};

export const Webhook = component('Webhook', 'An endpoint that receives events, without its secret', {
  id: uuid(),
  workspace_id: uuid(),
  ...inRecord(webhookFields),
  events: example(z.array(z.string()).describe(DELIVERED), ['decision.created']),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(disabledReasons)
    .nullable()
    .describe(
      'user: somebody disabled it; gone: it answered 410; failing: it failed on five days without a success',
    ),
  disabled_at: time().nullable(),
  failing_since: time().nullable().describe('The first failure since the last success'),
  previous_secret_until: time().nullable().describe('The end of the current rotation'),
  created_at: time(),
  updated_at: time(),
});
export type Webhook = z.output<typeof Webhook>;
export const webhookDefaults = defaultsOf(Webhook);

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().optional().describe('The signing secret, whsec_…, in the first answer only'),
}).meta({
  id: 'WebhookWithSecret',
  description: 'An endpoint with its signing secret, which only this answer has',
});
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>;

export const Delivery = component('Delivery', 'An event on its way to an endpoint', {
  id: uuid().describe('Stable across retries and replays: use it to drop duplicates'),
  workspace_id: uuid(),
  webhook_id: uuid(),
  event_id: uuid(),
  event_type: example(z.string(), 'decision.created'),
  status: z
    .enum(deliveryStatuses)
    .describe('held: its endpoint is disabled; cancelled: its endpoint was deleted'),
  series: integer().describe('1 at first; each replay adds 1'),
  attempt: count().describe('Attempts made in this series'),
  max_attempts: integer(),
  next_attempt_at: time().nullable(),
  created_at: time(),
  finished_at: time().nullable(),
});
export type Delivery = z.output<typeof Delivery>;

/** One header of a list, not of an object: names can repeat, and a receiver chooses those of its answer. */
export const HttpHeader = component('HttpHeader', 'A header of a request or an answer', {
  name: z.string(),
  value: z.string(),
});
export type HttpHeader = z.output<typeof HttpHeader>;

export const DeliveryAttempt = component('DeliveryAttempt', 'A request to an endpoint, with its answer', {
  series: integer(),
  attempt: integer(),
  started_at: time(),
  request: z
    .object({ method: z.literal('POST'), url: z.string(), headers: z.array(HttpHeader) })
    .nullable()
    .describe('The request that was sent, with its signatures; null when it was not recorded'),
  latency_ms: count(),
  status: integer().nullable().describe('HTTP status; null when there was no answer'),
  error: z.string().nullable().describe('Why there was no complete answer'),
  response_headers: z
    .array(HttpHeader)
    .nullable()
    .describe('The headers of the answer, without the values of its cookies'),
  response_body: z.string().nullable().describe('The first 16 KiB of the answer'),
});
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const WebhookPayload = component('WebhookPayload', 'The signed payload; ids sort by time', {
  id: uuid(),
  type: z.string(),
  created_at: time(),
  workspace_id: uuid(),
  test: z.literal(true).optional().describe('Only in a test of an event, whose data is an example'),
  data: z.unknown(),
});
export type WebhookPayload = z.output<typeof WebhookPayload>;

export const DeliveryWithAttempts = Delivery.extend({
  payload: WebhookPayload,
  body: z
    .string()
    .describe(
      'The exact text that is signed and sent: the payload, or the message that the last attempt sent to a chat',
    ),
  attempts: z.array(DeliveryAttempt).describe('Oldest first'),
}).meta({ id: 'DeliveryWithAttempts' });
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttempts>;

export const WebhookHour = component('WebhookHour', 'The attempts of one hour', {
  hour: time().describe('The start of the hour'),
  attempts_succeeded: count(),
  attempts_failed: count(),
  latency_ms: z
    .object({ average: count(), p50: count(), p95: count(), max: count() })
    .describe('Of all attempts, including timeouts; percentiles can be up to a tenth too high'),
});
export type WebhookHour = z.output<typeof WebhookHour>;

export const WebhookStats = component('WebhookStats', {
  webhook_id: uuid(),
  accepted: count().describe('delivered + pending + failed + held + cancelled'),
  delivered: count(),
  pending: count(),
  failed: count(),
  held: count(),
  cancelled: count(),
  history: z
    .array(WebhookHour)
    .describe('The hours of the last 7 days in which there were attempts, oldest first'),
});
export type WebhookStats = z.output<typeof WebhookStats>;

export const WebhookWithParts = Webhook.extend({
  included: included({ stats: WebhookStats }),
}).meta({ id: 'WebhookWithParts' });

export const WebhookReplayed = component('WebhookReplayed', {
  replayed: count().describe('How many deliveries start a new series'),
  next_since: time()
    .nullable()
    .describe('Where to continue: call again with this as since; null when nothing is left'),
});
export type WebhookReplayed = z.output<typeof WebhookReplayed>;

export const WebhookEventType = component('WebhookEventType', 'An event type that a delivery may carry', {
  type: z.string(),
  summary: z.string(),
  subscribable: z.boolean().describe('false for ping, which only a test sends'),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the payload’s data'),
});
export type WebhookEventType = z.output<typeof WebhookEventType>;
