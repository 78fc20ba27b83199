import { hash } from 'node:crypto';
import { API_VERSION, type ApiError, errorBody, errorHeaders, headers } from '@waymark/contracts';
import { endLingering, namedWeakly } from '@waymark/service-kit/http';
import { type GatewayResponse, sendsBody } from '../request-state.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** A file, in each of its stored codings. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  gzip: Buffer | null;
  br: Buffer | null;
  etag: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the ETag of a content: weak, because the compressed content has it too (RFC 9110, 8.8.1). */
export const contentTag = (content: Buffer) => `W/"${hash('sha256', content, 'base64url')}"`;

const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'";
const HSTS_SECONDS = 365 * 86_400;

/** The headers that every response carries, as a flat list of names and values. */
export function commonHeaders(publicUrl: string): readonly string[] {
  const all = [
    ...[headers.apiVersion, API_VERSION],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', STRICTEST_POLICY],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Referrer-Policy', 'no-referrer'],
  ];
  // Without includeSubDomains, because other hosts below the operator's domain are not Waymark's.
  if (publicUrl.startsWith('https:')) all.push('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`);
  return all;
}

/** Starts a response with `own` headers and the common ones. The flat list spares Node a map of headers. */
export function writeHead(
  response: GatewayResponse,
  status: number,
  own: readonly string[],
  { cacheControl = 'no-store', policy = STRICTEST_POLICY } = {},
): void {
  const { requestId, limit } = response.locals;
  const commonHeaders =
    policy === STRICTEST_POLICY
      ? response.locals.commonHeaders
      : response.locals.commonHeaders.map((value) => (value === STRICTEST_POLICY ? policy : value));
  const all = [...own, headers.requestId, requestId, 'Cache-Control', cacheControl, ...commonHeaders];
  if (limit) all.push(...rateLimitHeaders(limit));
  response.writeHead(status, all);
}

const contentHeaders = (type: string, length: number) => [
  'Content-Type',
  type,
  'Content-Length',
  String(length),
];

export function sendJson(
  response: GatewayResponse,
  status: number,
  text: string,
  own: readonly string[] = [],
): void {
  writeHead(response, status, [...own, ...contentHeaders(JSON_TYPE, Buffer.byteLength(text))]);
  response.end(text);
}

/** Sends a file or a page for browsers; `policy` is the Content-Security-Policy of the page. */
export function sendFile(
  response: GatewayResponse,
  file: {
    status?: number;
    type: string;
    body: Buffer;
    headers?: readonly string[];
    cacheControl?: string;
    policy?: string;
  },
): void {
  const { status = 200, type, body, headers = [], ...options } = file;
  const opener = type.startsWith('text/html') ? ['Cross-Origin-Opener-Policy', 'same-origin'] : [];
  writeHead(response, status, [...headers, ...opener, ...contentHeaders(type, body.length)], options);
  response.end(body);
}

/** Sends the file in the best coding that the client accepts, or 304 to a client that has it. */
export function sendStaticFile(
  response: GatewayResponse,
  file: StaticFile,
  options: { cacheControl: string; policy?: string },
): void {
  const common = ['ETag', file.etag, 'Vary', 'Accept-Encoding'];
  if (namedWeakly(response.req.headers['if-none-match'], file.etag)) {
    sendNothing(response, 304, common, options);
    return;
  }
  const coding = (['br', 'gzip'] as const).find((name) => file[name] && response.req.acceptsEncodings(name));
  sendFile(response, {
    ...options,
    type: file.type,
    body: coding ? file[coding]! : file.plain,
    headers: [...common, ...(coding ? ['Content-Encoding', coding] : [])],
  });
}

export function sendNothing(
  response: GatewayResponse,
  status: 204 | 304,
  own: readonly string[] = [],
  /** The policy is sent with a 304 too, whose headers replace those of the browser's copy. */
  options: { cacheControl?: string; policy?: string } = {},
): void {
  writeHead(response, status, own, options);
  response.end();
}

/** Sends an error. A response that has begun is cut off, so that it is never taken for a whole one. */
export function sendError(response: GatewayResponse, error: ApiError): void {
  const request = response.req;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const own = Object.entries(errorHeaders(error)).flat();
  const text = JSON.stringify(errorBody(error, response.locals.requestId));
  if (request.complete || !sendsBody(request)) {
    sendJson(response, error.status, text, own);
    return;
  }
  const described = contentHeaders(JSON_TYPE, Buffer.byteLength(text));
  writeHead(response, error.status, [...own, ...described, 'Connection', 'close']);
  response.write(text);
  endLingering(request, response);
}
