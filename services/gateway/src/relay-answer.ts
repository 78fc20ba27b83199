import type { IncomingMessage } from 'node:http';
import { INTERNAL_HEADER_PREFIX } from '@waymark/contracts';
import type { Exchange } from './exchange.ts';
import { writeHead } from './respond.ts';

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
  'vary',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
  'x-api-version',
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'ratelimit',
  'ratelimit-policy',
]);
const DROPPED_PREFIXES = ['x-ratelimit-', 'access-control-', INTERNAL_HEADER_PREFIX];

/** Streams a service's answer to the client, under the gateway's own headers. */
export function relayAnswer(upstream: IncomingMessage, exchange: Exchange): void {
  const { rawHeaders } = upstream;
  const kept: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    kept.push(name, rawHeaders[i + 1]!);
  }
  writeHead(exchange, upstream.statusCode ?? 502, kept);
  // A stream may have nothing to say for long; its reader wants to know that it has begun.
  if (upstream.headers['content-length'] === undefined) exchange.response.flushHeaders();
  upstream.pipe(exchange.response);
}
