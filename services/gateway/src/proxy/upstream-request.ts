import { BASE_PATH, headers, internalHeaders, withoutCoding } from '@waymark/contracts';
import { TRACEPARENT } from '@waymark/service-kit/process';
import { cookieValue } from '../http/cookie.ts';
import type { GatewayResponse, RequestState } from '../request-state.ts';

/** The only headers of a client that services receive: no credentials, no internal header, no length. */
const FORWARDED = [
  'accept',
  'accept-language',
  headers.batchSize.toLowerCase(),
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
  'range',
  'sec-fetch-site',
];
const USER_AGENT_CHARACTERS_MAX = 512;

/** The URL for the service, rebuilt from the parsed parts, so that gateway and service read the same URL. */
export function upstreamUrl({ operation, params, query }: RequestState): string {
  let url = BASE_PATH + operation!.path;
  for (const name in params) url = url.replace(`{${name}}`, encodeURIComponent(params[name]!));
  let separator = '?';
  for (const name in query) {
    url += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(query[name]!)}`;
    separator = '&';
  }
  return url;
}

export function upstreamHeaders(
  { req, locals }: GatewayResponse,
  identities: Readonly<Record<string, string>>,
  signInCookies: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const given = req.headers;
  const hopByHop = given.connection === undefined ? null : connectionNames(given.connection);
  const headers: Record<string, string | string[]> = {};
  for (const name of FORWARDED) {
    const value = given[name];
    if (value !== undefined && !hopByHop?.has(name)) headers[name] = value;
  }
  // During an upgrade, a service of the version before knows only the tag without a coding.
  const ifMatch = headers['if-match'];
  if (typeof ifMatch === 'string') headers['if-match'] = withoutCoding(ifMatch);
  Object.assign(headers, identities);
  headers[internalHeaders.requestId] = locals.requestId;
  if (locals.span) headers[TRACEPARENT] = locals.span.traceparent;
  headers[internalHeaders.clientAddress] = locals.clientAddress;
  if (locals.operation!.takesSignInCookies && given.cookie) {
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
