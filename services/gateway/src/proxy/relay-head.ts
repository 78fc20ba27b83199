import type { IncomingHttpHeaders } from 'node:http';
import { INTERNAL_HEADER_PREFIX } from '@waymark/contracts';
import { commonHeaders, writeHead } from '../http/respond.ts';
import { type GatewayResponse, isSafe } from '../request-state.ts';

const namesOf = (flat: readonly string[]) => flat.filter((_, i) => i % 2 === 0);
/** Headers of one connection only, and headers that the gateway sets itself. */
const DROPPED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['cache-control', 'vary', 'date', 'server', 'x-powered-by', 'x-request-id'],
  ...namesOf(commonHeaders('https:')).map((name) => name.toLowerCase()),
]);
const DROPPED_PREFIXES = ['ratelimit', 'x-ratelimit-', 'access-control-', INTERNAL_HEADER_PREFIX];

/** Begins the response to the client with the service's headers and the gateway's own. */
export function relayHead(response: GatewayResponse, status: number, headers: IncomingHttpHeaders): void {
  const kept: string[] = [];
  for (const name in headers) {
    if (DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    const value = headers[name]!;
    if (typeof value === 'string') kept.push(name, value);
    else for (const one of value) kept.push(name, one);
  }
  // Another caller in the same browser may see other records, so each use must ask again.
  const isReadable =
    headers.etag !== undefined && (status === 200 || status === 304) && isSafe(response.req.method);
  writeHead(response, status, kept, isReadable ? { cacheControl: 'private, no-cache' } : {});
  // A stream may stay silent for long. The headers tell the client that it has begun.
  if (headers['content-length'] === undefined) response.flushHeaders();
}
