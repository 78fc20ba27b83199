import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERNAL_HEADER_PREFIX } from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import { writeHead } from '../exchange/respond.ts';

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
/** As much as Node writes without asking for memory first. */
const SMALL_BYTES = 8_192;
const DROPPED_PREFIXES = ['x-ratelimit-', 'access-control-', INTERNAL_HEADER_PREFIX];

/** Streams a service's answer to the client, under the gateway's own headers. */
export function relayAnswer(upstream: IncomingMessage, exchange: Exchange): void {
  // As they came: Node makes an object of all headers when it is asked for one of them.
  const { rawHeaders } = upstream;
  const kept: string[] = [];
  let length: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (name === 'content-length') length = rawHeaders[i + 1]!;
    if (DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    kept.push(name, rawHeaders[i + 1]!);
  }
  const { response } = exchange;
  const begin = () => writeHead(exchange, upstream.statusCode ?? 502, kept);
  if (Number(length) <= SMALL_BYTES) {
    relaySmall(upstream, response, begin);
    return;
  }
  begin();
  upstream.pipe(response);
  // A stream may stay silent for long; its reader wants to know that it has begun.
  if (length === undefined) response.flushHeaders();
}

/**
 * Passes a small answer on as text of one byte a character: Node joins its beginning with the head in one string, and to write that
 * costs half of what two buffers cost. It goes behind all that this turn of the loop has read: answers that leave together wake
 * whoever reads them once, and to wake costs more than to write.
 */
function relaySmall(upstream: IncomingMessage, response: ServerResponse, begin: () => void): void {
  let piece = '';
  let isDue = false;
  const send = () => {
    isDue = false;
    if (response.destroyed) return;
    if (!response.headersSent) begin();
    response.write(piece, 'latin1');
    piece = '';
    // Node writes at the end of this tick: an end before that would make another piece of nothing.
    if (upstream.readableEnded) process.nextTick(() => response.end());
  };
  const sendSoon = () => {
    if (!isDue) setImmediate(send);
    isDue = true;
  };
  upstream.on('data', (chunk: Buffer) => {
    piece += chunk.toString('latin1');
    sendSoon();
  });
  upstream.on('end', sendSoon);
}
