import { z } from 'zod';
import { time, uuid } from '../schema/types.ts';

export const disabledReasons = ['user', 'gone', 'failing'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const;

export const Webhook = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.string()).describe('Event types that are delivered'),
    max_per_second: z
      .number()
      .int()
      .nullable()
      .describe(
        'Attempts in any second, at most, however many replicas send; null: as many as the installation sends, by each of them',
      ),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(disabledReasons)
      .nullable()
      .describe(
        'user: by a setting; gone: it answered 410; failing: it failed on five days or more without a success',
      ),
    disabled_at: time().nullable(),
    failing_since: time().nullable().describe('The first failure since the last success'),
    previous_secret_until: time().nullable().describe('End of a rotation under way'),
    created_at: time(),
    updated_at: time(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().optional().describe('The signing secret, whsec_…, in the first answer only'),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>;

const delivery = {
  id: uuid().describe('Stable across retries and replays: the key to drop duplicates by'),
  workspace_id: uuid(),
  webhook_id: uuid(),
  event_id: uuid(),
  event_type: z.string(),
  status: z
    .enum(deliveryStatuses)
    .describe('held: its endpoint is disabled; cancelled: its endpoint was deleted'),
  series: z.number().int().describe('1, and one more for each replay'),
  attempt: z.number().int().min(0).describe('Attempts made in this series'),
  max_attempts: z.number().int(),
  next_attempt_at: time().nullable(),
  created_at: time(),
  finished_at: time().nullable(),
};

export const Delivery = z.object(delivery).meta({ id: 'Delivery' });
export type Delivery = z.output<typeof Delivery>;

/** A list, as names may come twice and a receiver chooses those of its answer. */
export const HttpHeader = z.object({ name: z.string(), value: z.string() }).meta({ id: 'HttpHeader' });
export type HttpHeader = z.output<typeof HttpHeader>;

export const DeliveryAttempt = z
  .object({
    series: z.number().int(),
    attempt: z.number().int(),
    started_at: time(),
    request: z
      .object({ method: z.literal('POST'), url: z.string(), headers: z.array(HttpHeader) })
      .nullable()
      .describe('What was sent, signatures included; null for an attempt of before this was kept'),
    latency_ms: z.number().int().min(0),
    status: z.number().int().nullable().describe('HTTP status; null when there was no answer'),
    error: z.string().nullable().describe('Why there was no answer, or not a whole one'),
    response_headers: z
      .array(HttpHeader)
      .nullable()
      .describe('Of the answer; the values of its cookies are left out'),
    response_body: z.string().nullable().describe('The first 16 KiB of the answer'),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const WebhookPayload = z
  .object({ id: uuid(), type: z.string(), created_at: time(), workspace_id: uuid(), data: z.unknown() })
  .meta({ id: 'WebhookPayload', description: 'What is signed and sent; ids sort by time' });
export type WebhookPayload = z.output<typeof WebhookPayload>;

export const DeliveryWithAttempts = z
  .object({
    ...delivery,
    payload: WebhookPayload,
    body: z.string().describe('The payload as the text that is signed and sent'),
    attempts: z.array(DeliveryAttempt).describe('Oldest first'),
  })
  .meta({ id: 'DeliveryWithAttempts' });
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttempts>;

const count = () => z.number().int().min(0);

const milliseconds = () => z.number().int().min(0);

export const WebhookHour = z
  .object({
    hour: time().describe('When it began'),
    attempts_succeeded: count(),
    attempts_failed: count(),
    latency_ms: z
      .object({ average: milliseconds(), p50: milliseconds(), p95: milliseconds(), max: milliseconds() })
      .describe('Of all its attempts, time-outs included; the percentiles are up to a tenth too high'),
  })
  .meta({ id: 'WebhookHour' });
export type WebhookHour = z.output<typeof WebhookHour>;

export const WebhookStats = z
  .object({
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
  })
  .meta({ id: 'WebhookStats' });
export type WebhookStats = z.output<typeof WebhookStats>;

export const WebhookReplayed = z
  .object({
    replayed: count().describe('Deliveries that start a new series'),
    next_since: time()
      .nullable()
      .describe('There are more than one call takes: call again with this as since; null when that was all'),
  })
  .meta({ id: 'WebhookReplayed' });
export type WebhookReplayed = z.output<typeof WebhookReplayed>;

export const WebhookEventType = z
  .object({
    type: z.string(),
    summary: z.string(),
    subscribable: z.boolean().describe('ping is not: it comes when a test is asked for'),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the payload’s data'),
  })
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = z.output<typeof WebhookEventType>;
