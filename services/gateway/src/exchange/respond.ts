import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { API_VERSION, type ApiError, errorBody, errorHeaders, headers } from '@waymark/contracts';
import type { Exchange } from './exchange.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** A file in each coding that it is stored in. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  gzip: Buffer | null;
  br: Buffer | null;
}

const LINGER_MS = 2_000;
export const JSON_TYPE = 'application/json; charset=utf-8';

const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'";
const HSTS_SECONDS = 365 * 86_400;
const compressGzip = promisify(gzip);

/** The headers that every answer carries, as a flat list of names and values. */
export function commonHeaders(publicUrl: string): readonly string[] {
  const all = [
    ...[headers.apiVersion, API_VERSION],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', STRICTEST_POLICY],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Referrer-Policy', 'no-referrer'],
  ];
  // For this host only: other hosts below the operator's domain are not ours.
  if (publicUrl.startsWith('https:')) all.push('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`);
  return all;
}

/** Starts an answer with `own` headers and the common ones. The flat list spares Node a map of headers. */
export function writeHead(
  { response, requestId, commonHeaders, limit }: Exchange,
  status: number,
  own: readonly string[],
  cacheControl = 'no-store',
): void {
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
  exchange: Exchange,
  status: number,
  text: string,
  own: readonly string[] = [],
  cacheControl?: string,
): void {
  const described = contentHeaders(JSON_TYPE, Buffer.byteLength(text));
  writeHead(exchange, status, [...own, ...described], cacheControl);
  exchange.response.end(text);
}

/** Answers with a file or a page for browsers; `policy` is the Content-Security-Policy of the page. */
export function sendFile(
  exchange: Exchange,
  file: { type: string; body: Buffer; headers?: readonly string[]; cacheControl?: string; policy?: string },
): void {
  const { type, body, headers = [], cacheControl, policy = STRICTEST_POLICY } = file;
  const described = contentHeaders(type, body.length);
  writeHead(withPolicy(exchange, policy), 200, [...headers, ...described], cacheControl);
  exchange.response.end(body);
}

/** The exchange with the policy of a page, which a 304 needs too: its headers replace those of the copy. */
export function withPolicy(exchange: Exchange, policy: string): Exchange {
  const commonHeaders = exchange.commonHeaders.map((value) => (value === STRICTEST_POLICY ? policy : value));
  return { ...exchange, commonHeaders };
}

/** Without Brotli, which takes seconds for a file of megabytes. */
export async function compressFile(type: string, plain: Buffer): Promise<StaticFile> {
  return { type, plain, gzip: await compressGzip(plain), br: null };
}

/** Sends the file in the best coding that the client accepts. */
export function sendStaticFile(
  exchange: Exchange,
  file: StaticFile,
  options: { headers?: readonly string[]; cacheControl: string; policy?: string },
): void {
  const accepted = (exchange.request.headers['accept-encoding'] ?? '').split(',').map(codingOf);
  const coding = (['br', 'gzip'] as const).find((name) => file[name] && accepted.includes(name));
  sendFile(exchange, {
    ...options,
    type: file.type,
    body: coding ? file[coding]! : file.plain,
    headers: [
      ...(options.headers ?? []),
      ...['Vary', 'Accept-Encoding'],
      ...(coding ? ['Content-Encoding', coding] : []),
    ],
  });
}

/** The coding that one item of Accept-Encoding accepts; `br;q=0` accepts none. */
function codingOf(item: string): string {
  const [coding = '', ...parameters] = item.trim().toLowerCase().split(';');
  const refused = parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  return refused ? '' : coding.trim();
}

export function sendNothing(
  exchange: Exchange,
  status: 204 | 304,
  own: readonly string[] = [],
  cacheControl?: string,
): void {
  writeHead(exchange, status, own, cacheControl);
  exchange.response.end();
}

/** Answers with an error. An answer that has begun is cut off, so that it is never taken for a whole one. */
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
  const described = contentHeaders(JSON_TYPE, Buffer.byteLength(text));
  writeHead(exchange, error.status, [...own, ...described, 'Connection', 'close']);
  response.write(text);
  linger(exchange);
}

/** Reads on for a moment: closing while the client still sends its body would lose it the answer. */
function linger({ request, response }: Exchange): void {
  const end = () => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
