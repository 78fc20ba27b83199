import type { IncomingMessage } from 'node:http';
import { INTERNAL_HEADER_PREFIX } from '@waymark/contracts';
import type { Exchange } from './exchange.ts';
import { setCommonHeaders } from './respond.ts';

/** Headers of one connection only, and those that the gateway itself answers for. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'cache-control',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
  'x-api-version',
  'ratelimit',
  'ratelimit-policy',
]);
const DROPPED_PREFIXES = ['x-ratelimit-', 'access-control-', INTERNAL_HEADER_PREFIX];

/** Streams a service's answer to the client, under the gateway's own headers. */
export function relayAnswer(upstream: IncomingMessage, exchange: Exchange): void {
  const { response } = exchange;
  response.statusCode = upstream.statusCode ?? 502;
  for (const name in upstream.headers) {
    const value = upstream.headers[name];
    if (value === undefined || DROPPED.has(name)) continue;
    if (DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    if (name === 'vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  setCommonHeaders(exchange);
  // A stream may have nothing to say for long; its reader wants to know that it has begun.
  if (upstream.headers['content-length'] === undefined) response.flushHeaders();
  upstream.pipe(response);
}
