import { z } from 'zod';
import type { ZodOpenApiObject } from 'zod-openapi';
import { events } from '../events/events.ts';
import { subscribableEventTypes } from '../events/webhook-settings.ts';
import { WebhookPayload } from '../resources/webhook.ts';
import type { Document } from './examples.ts';
import { webhookTag } from './tags.ts';

interface Described {
  responses: Record<string, { content?: object }>;
}

/** A header that all webhooks have, once for all of them. */
const header = <T extends z.ZodType>(schema: T, name: string, description: string): T =>
  schema.meta({ description, param: { id: name } });

const HEADERS = z.object({
  'X-Waymark-Event': header(z.string(), 'WebhookEvent', 'The event type'),
  'X-Waymark-Delivery': header(
    z.uuid(),
    'WebhookDelivery',
    'Stable across retries; use it to drop duplicates',
  ),
  'X-Waymark-Timestamp': header(
    z.string().regex(/^\d+$/),
    'WebhookTimestamp',
    'Unix seconds; refuse more than 300 s of difference',
  ),
  'X-Waymark-Signature': header(
    z.string().regex(/^sha256=[0-9a-f]{64}$/),
    'WebhookSignature',
    'sha256= and the hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the secret',
  ),
});

/** Where the body of a webhook stands until the document is made: `sentAsOutput` moves it. */
const SENT = '200';

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
          tags: [webhookTag.name],
          security: [],
          requestParams: { header: HEADERS },
          responses: {
            [SENT]: {
              description: '',
              content: {
                'application/json': {
                  schema: WebhookPayload.extend({ type: z.literal(type), data }).meta({ id: undefined }),
                },
              },
            },
            '2XX': { description: 'Received' },
            '4XX': { description: 'Refused. Only 408 and 429 are retried; 410 disables the endpoint' },
            '5XX': { description: 'Retried' },
          },
        },
      },
    ]),
  );
}

/**
 * Makes the bodies of webhooks requests. They are described as responses first: their records are those of
 * Waymark's responses, which request schemas would repeat with defaults and limits.
 */
export function sentAsOutput(document: Document): Document {
  for (const { post } of Object.values(document.webhooks ?? {}) as { post: Described }[]) {
    const { [SENT]: sent, ...responses } = post.responses;
    Object.assign(post, { requestBody: { required: true, content: sent!.content }, responses });
  }
  return document;
}
