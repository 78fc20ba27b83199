import {
  events,
  type SubscribableEventType,
  subscribableEventTypes,
  type WebhookEventType,
} from '@waymark/contracts';
import { z } from 'zod';

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'output' });

const ping: WebhookEventType = {
  type: 'ping',
  summary: 'A test that someone asked for',
  subscribable: false,
  schema: jsonSchema(z.object({ webhook_id: z.uuid() })),
};

function describe(type: SubscribableEventType): WebhookEventType {
  const { summary, data } = events[type];
  return { type, summary, subscribable: true, schema: jsonSchema(data) };
}

/** All event types that a delivery may carry, with the JSON Schema (2020-12) of the payload's `data`. */
export const webhookEventTypes: readonly WebhookEventType[] = [...subscribableEventTypes.map(describe), ping];
