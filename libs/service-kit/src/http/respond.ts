import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { BASE_PATH, etagOf, type Operation, withoutCoding } from '@waymark/contracts';
import { Created, JsonText, type StreamedBody } from './handlers.ts';
import { header, splitUrl } from './request-parts.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends a handler's result as its operation declares it: JSON with ETag and Link, a stream, or nothing. Calls
 * `count` with the length of a body before it is sent.
 */
export async function respond(
  operation: Operation,
  request: IncomingMessage & { originalUrl: string },
  response: ServerResponse,
  given: unknown,
  count: (bytes: number) => Promise<void>,
): Promise<void> {
  const { status, contentType } = operation.response;
  const result = given instanceof Created ? (given.record as unknown) : given;
  response.statusCode = given instanceof Created ? 201 : status;
  if (contentType && Buffer.isBuffer(result)) return send(response, contentType, result, count);
  if (contentType) return stream(response, contentType, result as StreamedBody);
  const version = (result as { version?: unknown } | null | undefined)?.version;
  if (operation.versioned && version !== undefined) {
    const etag = etagOf(version as number);
    const known = request.method === 'GET' && namedWeakly(header(request, 'if-none-match'), etag);
    response.setHeader('ETag', known || etag);
    if (known) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  if (result === undefined) {
    response.end();
    return;
  }
  const { location } = operation.response;
  if (location && response.statusCode === 201) response.setHeader('Location', locationOf(location, result));
  if (result instanceof JsonText) return send(response, JSON_TYPE, result.body, count);
  const link = nextLink(request.originalUrl, result);
  if (link) response.setHeader('Link', link);
  return send(response, JSON_TYPE, Buffer.from(JSON.stringify(result)), count);
}

/**
 * Sends white space, which JSON allows, every `longMs` until `result` resolves: proxies drop idle
 * connections. The first white space also sends the status, so a later failure breaks the connection.
 */
export async function keepAlive<T>(response: ServerResponse, result: Promise<T>, longMs: number): Promise<T> {
  const timer = setInterval(() => {
    if (!response.headersSent) response.setHeader('content-type', JSON_TYPE);
    response.write(' ');
  }, longMs);
  try {
    return await result;
  } finally {
    clearInterval(timer);
  }
}

async function send(
  response: ServerResponse,
  contentType: string,
  body: Buffer,
  count: (bytes: number) => Promise<void>,
): Promise<void> {
  await count(body.length);
  if (!response.headersSent)
    response.setHeader('content-type', contentType).setHeader('content-length', body.length);
  response.end(body);
}

/** Fills in fields of the result: `{message.id}`. */
function locationOf(template: string, result: unknown): string {
  const fieldOf = (value: unknown, name: string) => (value as Record<string, unknown>)[name];
  return (
    BASE_PATH +
    template.replace(/\{([\w.]+)\}/g, (_, path: string) => String(path.split('.').reduce(fieldOf, result)))
  );
}

/** Returns the Link header (RFC 8288) of a page that has a next one: its URL with the next cursor. */
function nextLink(url: string, result: unknown): string | null {
  const cursor = (result as { next_cursor?: unknown } | null)?.next_cursor;
  if (typeof cursor !== 'string') return null;
  const [path, search] = splitUrl(url);
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}

/** Reports whether an If-Match header names `etag`: a weak tag never matches (RFC 9110, 13.1.1). */
export const matches = (condition: string, etag: string): boolean => namedTag(condition, etag) !== undefined;

/**
 * Returns the tag by which an If-None-Match header names `etag`, by weak comparison (RFC 9110, 13.1.2): the
 * tag itself, or the one of a compressed body.
 */
export function namedWeakly(condition: string | undefined, etag: string): string | undefined {
  const strong = (text: string) => text.replaceAll('W/"', '"');
  return condition && namedTag(strong(condition), strong(etag));
}

function namedTag(condition: string, etag: string): string | undefined {
  if (condition.trim() === '*') return etag;
  const tags: string[] = condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.find((tag) => tag === etag || withoutCoding(tag) === etag);
}

async function stream(response: ServerResponse, contentType: string, body: StreamedBody): Promise<void> {
  const chunks = body.stream[Symbol.asyncIterator]();
  // A failure before the first chunk can still be answered with a status.
  const first = await chunks.next();
  response.setHeader('content-type', contentType);
  if (body.fileName) response.setHeader('content-disposition', `attachment; filename="${body.fileName}"`);
  const all = (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  await pipeline(all, response);
}
