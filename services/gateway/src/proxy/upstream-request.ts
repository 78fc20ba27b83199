import type { IncomingHttpHeaders } from 'node:http';
import { BASE_PATH, internalHeaders, type Operation } from '@waymark/contracts';
import { TRACEPARENT } from '@waymark/service-kit/process';
import { cookieValue } from '../exchange/cookie.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { takesBody } from './request-body.ts';

/** The only headers of a client that services receive: no credentials and no internal header. */
const FORWARDED = [
  'accept',
  'accept-language',
  'batch-size',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
  'range',
] as const;
const USER_AGENT_CHARACTERS_MAX = 512;

/** The URL for the service, rebuilt from the parsed parts, so that gateway and service read the same URL. */
export function upstreamUrl(operation: Operation, { params, query }: Exchange): string {
  let url = BASE_PATH + operation.path;
  for (const name in params) url = url.replace(`{${name}}`, encodeURIComponent(params[name]!));
  let separator = '?';
  for (const name in query) {
    url += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(query[name]!)}`;
    separator = '&';
  }
  return url;
}

export function upstreamHeaders(
  exchange: Exchange,
  operation: Operation,
  identities: Readonly<Record<string, string>>,
  signInCookies: Readonly<Record<string, string>>,
): IncomingHttpHeaders {
  const given = exchange.request.headers;
  const hopByHop = given.connection === undefined ? null : connectionNames(given.connection);
  const headers: Record<string, string | string[]> = {};
  for (const name of FORWARDED) {
    const value = given[name];
    if (value !== undefined && !hopByHop?.has(name)) headers[name] = value;
  }
  if (takesBody(operation) && given['transfer-encoding'] === undefined) {
    headers['content-length'] = given['content-length'] ?? '0';
  }
  Object.assign(headers, identities);
  headers[internalHeaders.requestId] = exchange.requestId;
  if (exchange.span) headers[TRACEPARENT] = exchange.span.traceparent;
  headers[internalHeaders.clientAddress] = exchange.clientAddress;
  if (operation.takesSignInCookies && given.cookie) {
    for (const [header, name] of Object.entries(signInCookies)) {
      const value = cookieValue(given.cookie, name);
      if (value) headers[header] = value;
    }
  }
  const userAgent = given['user-agent'];
  if (userAgent) headers[internalHeaders.userAgent] = userAgent.slice(0, USER_AGENT_CHARACTERS_MAX);
  return headers;
}

/** The headers that the client declares as hop-by-hop (RFC 9110, 7.6.1). */
function connectionNames(connection: string): Set<string> | null {
  if (connection === 'keep-alive' || connection === 'close') return null;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
