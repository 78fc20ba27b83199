import type { ServerResponse } from 'node:http';
import { API_VERSION, type ApiError, errorBody, errorHeaders, headers } from '@waymark/contracts';
import type { Exchange } from './exchange.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

const LINGER_MS = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'";
const HSTS_SECONDS = 365 * 86_400;

/** What every answer carries, whoever wrote it: names and values in turn, as Node takes them. */
export function standingHeaders(publicUrl: string): readonly string[] {
  const all = [
    ...[headers.apiVersion, API_VERSION],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', STRICTEST_POLICY],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Referrer-Policy', 'no-referrer'],
  ];
  // Of this host only: what else lives below an operator's domain is not ours to decide on.
  if (publicUrl.startsWith('https:')) all.push('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`);
  return all;
}

/** Begins an answer with `own` headers and those that every answer carries. One flat list spares Node a map. */
export function writeHead(
  { response, requestId, standingHeaders, limit }: Exchange,
  status: number,
  own: readonly string[],
  cacheControl = 'no-store',
): void {
  const all = [...own, headers.requestId, requestId, 'Cache-Control', cacheControl, ...standingHeaders];
  if (limit) all.push(...rateLimitHeaders(limit));
  response.writeHead(status, all);
}

/** Answers with a JSON text that is ready. */
export function sendJson(
  exchange: Exchange,
  status: number,
  text: string,
  own: readonly string[] = [],
  cacheControl?: string,
): void {
  const body = Buffer.from(text);
  const described = ['Content-Type', JSON_TYPE, 'Content-Length', String(body.length)];
  writeHead(exchange, status, [...own, ...described], cacheControl);
  exchange.response.end(body);
}

/** Answers with a file or page for browsers; `policy` is the Content-Security-Policy of a page. */
export function sendFile(
  exchange: Exchange,
  file: { type: string; body: Buffer; headers?: readonly string[]; cacheControl?: string; policy?: string },
): void {
  const { type, body, cacheControl, policy = STRICTEST_POLICY } = file;
  const { standingHeaders } = exchange;
  const standing = standingHeaders.map((value) => (value === STRICTEST_POLICY ? policy : value));
  const described = ['Content-Type', type, 'Content-Length', String(body.length)];
  writeHead(
    { ...exchange, standingHeaders: standing },
    200,
    [...(file.headers ?? []), ...described],
    cacheControl,
  );
  exchange.response.end(body);
}

/** Answers without a body. */
export function sendNothing(
  exchange: Exchange,
  status: 204 | 304,
  own: readonly string[] = [],
  cacheControl?: string,
): void {
  writeHead(exchange, status, own, cacheControl);
  exchange.response.end();
}

/** The one way in which a request fails; an answer under way is cut off, so that it is never taken for whole. */
export function sendError(exchange: Exchange, error: ApiError): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const own = Object.entries(errorHeaders(error)).flat();
  const text = JSON.stringify(errorBody(error, exchange.requestId));
  if (request.complete || !exchange.sendsBody) {
    sendJson(exchange, error.status, text, own);
    return;
  }
  const body = Buffer.from(text);
  own.push('Content-Type', JSON_TYPE, 'Content-Length', String(body.length), 'Connection', 'close');
  writeHead(exchange, error.status, own);
  response.write(body);
  linger(exchange, response);
}

/**
 * Reads on for a moment before it closes: closing while the client still sends its body would reset the connection, and the
 * answer that explains the refusal would be lost with it.
 */
function linger({ request }: Exchange, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
