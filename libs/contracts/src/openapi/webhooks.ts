import { z } from 'zod';
import type { ZodOpenApiObject } from 'zod-openapi';
import { events } from '../events/events.ts';
import { subscribableEventTypes } from '../events/webhook-settings.ts';
import { WebhookPayload } from '../resources/webhook.ts';

const HEADERS = z.object({
  'X-Waymark-Event': z.string().describe('The event type'),
  'X-Waymark-Delivery': z.uuid().describe('Stable across retries; use it to drop duplicates'),
  'X-Waymark-Timestamp': z
    .string()
    .regex(/^\d+$/)
    .describe('Unix seconds; refuse more than 300 s of difference'),
  'X-Waymark-Signature': z
    .string()
    .regex(/^sha256=[0-9a-f]{64}$/)
    .describe('sha256= and the hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the secret'),
});

/** The requests that endpoints receive, by event type. */
export function describeWebhooks(): NonNullable<ZodOpenApiObject['webhooks']> {
  const types = subscribableEventTypes.map((type) => [type, events[type]] as const);
  return Object.fromEntries(
    types.map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary,
          description: 'The operator can choose another prefix of the headers than X-Waymark-.',
          tags: ['webhooks'],
          security: [],
          requestParams: { header: HEADERS },
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: WebhookPayload.extend({ type: z.literal(type), data }).meta({ id: undefined }),
              },
            },
          },
          responses: {
            '2XX': { description: 'Received' },
            '4XX': { description: 'Refused. Only 408 and 429 are retried; 410 disables the endpoint' },
            '5XX': { description: 'Retried' },
          },
        },
      },
    ]),
  );
}
