import { codedTag, etagOf, headers } from '../headers.ts';
import type { Operation } from '../operations/operation.ts';
import { acceptsIdempotencyKey } from '../operations/operation-errors.ts';
import { recordOf } from '../schema/body.ts';

const always = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  required: true,
  schema: { type },
});
const sometimes = (description: string) => ({ description, schema: { type: 'string' as const } });

/** The headers of every response. */
const common = {
  [headers.requestId]: always('The id of this request, for support and the audit log'),
  [headers.apiVersion]: always('v1'),
  [headers.rateLimitLimit]: always('Requests a minute in the tier that binds', 'integer'),
  [headers.rateLimitRemaining]: always('Requests left in the window', 'integer'),
  [headers.rateLimitReset]: always('When the window ends, Unix seconds', 'integer'),
  [headers.rateLimit]: always('What is left in each tier, the binding one first (an IETF draft)'),
  [headers.rateLimitPolicy]: always('The limit and the window of each tier (an IETF draft)'),
};
const others = {
  [headers.retryAfter]: {
    description: 'Seconds to wait; absent from DATABASE_NOT_CONFIGURED',
    schema: { type: 'integer' as const },
  },
  [headers.wwwAuthenticate]: always(
    'Bearer with the realm, and with the error of RFC 6750 for a refused key',
  ),
  [headers.idempotencyReplayed]: sometimes('true if the answer is that of an earlier request with the key'),
  ETag: sometimes(
    `The version of the record; that of version 3 is ${etagOf(3)}, and ${codedTag(etagOf(3), 'gzip')} if the body is compressed. Absent with include`,
  ),
  Link: sometimes('The next page, if any, as rel="next" (RFC 8288)'),
  Location: always('The path of the new record, or where the browser goes'),
  'Content-Disposition': always('The name of the file'),
  'Set-Cookie': sometimes('The session of the browser, or a sign-in in progress'),
};

export const describedHeaders = { ...common, ...others };

const referring = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function errorHeadersOf(status: number) {
  const names = Object.keys(common);
  if (status === 429 || status === 503) names.push(headers.retryAfter);
  if (status === 401) names.push(headers.wwwAuthenticate);
  return referring(names);
}

export function successHeadersOf(operation: Operation, status: number) {
  const { response, setsCookie } = operation;
  const { version, next_cursor } = recordOf(response.schema)?.shape ?? {};
  const names = Object.keys(common);
  if (operation.versioned && version) names.push('ETag');
  if (next_cursor) names.push('Link');
  if (status === 302 || (status === 201 && response.location)) names.push('Location');
  if (response.contentType && response.contentType !== 'text/event-stream') names.push('Content-Disposition');
  if (setsCookie) names.push('Set-Cookie');
  if (acceptsIdempotencyKey(operation)) names.push(headers.idempotencyReplayed);
  return referring(names);
}

export const notModifiedHeaders = () => referring([...Object.keys(common), 'ETag']);
