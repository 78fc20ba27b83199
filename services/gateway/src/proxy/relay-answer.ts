import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERNAL_HEADER_PREFIX } from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import { commonHeaders, writeHead } from '../exchange/respond.ts';

const namesOf = (flat: readonly string[]) => flat.filter((_, i) => i % 2 === 0);
/** Headers of one connection only, and headers that the gateway sets itself. */
const DROPPED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['cache-control', 'vary', 'date', 'server', 'x-powered-by', 'x-request-id'],
  ...namesOf(commonHeaders('https:')).map((name) => name.toLowerCase()),
]);
const DROPPED_PREFIXES = ['ratelimit', 'x-ratelimit-', 'access-control-', INTERNAL_HEADER_PREFIX];
/** Node encodes up to this much text without allocating memory for it. */
const SMALL_BYTES = 8_192;

/** Streams a service's answer to the client, with the gateway's own headers. */
export function relayAnswer(upstream: IncomingMessage, exchange: Exchange): void {
  // The raw list: reading a single parsed header makes Node build an object of all of them.
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
  const writeHeadOnce = () => writeHead(exchange, upstream.statusCode ?? 502, kept);
  if (Number(length) <= SMALL_BYTES) {
    relaySmall(upstream, response, writeHeadOnce);
    return;
  }
  writeHeadOnce();
  upstream.pipe(response);
  // A stream may stay silent for long. The headers tell the client that it has begun.
  if (length === undefined) response.flushHeaders();
}

/**
 * Sends a small answer as latin1 text, which Node writes together with the head in one piece. `setImmediate`
 * lets all answers read in one iteration of the event loop leave together and wake their reader once.
 */
function relaySmall(upstream: IncomingMessage, response: ServerResponse, writeHeadOnce: () => void): void {
  let text = '';
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    if (response.destroyed) return;
    if (!response.headersSent) writeHeadOnce();
    response.write(text, 'latin1');
    text = '';
    // Node writes at the end of this tick. An end before that would add an empty piece.
    if (upstream.readableEnded) process.nextTick(() => response.end());
  };
  const schedule = () => {
    if (!isScheduled) setImmediate(flush);
    isScheduled = true;
  };
  upstream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    schedule();
  });
  upstream.on('end', schedule);
}
