import type { IncomingMessage } from 'node:http';
import { ApiError, bodyBytesMax, limits, type Operation } from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import { ClientGone } from './upstream-failure.ts';

/** Whether an operation has a body; a body sent to any other operation is left unread. */
export function takesBody(operation: Operation): boolean {
  return operation.body !== undefined || operation.bodyContentTypes !== undefined;
}

function forwardsBody({ sendsBody }: Exchange, operation: Operation): boolean {
  return sendsBody && takesBody(operation);
}

/** Whether everything has arrived that the service gets of the request. */
export function isReceived(exchange: Exchange, operation: Operation): boolean {
  return exchange.request.complete || !forwardsBody(exchange, operation);
}

/** Whether an operation accepts bodies so large that a timeout applies to their progress, not their end. */
export function mayStream(operation: Operation): boolean {
  return bodyBytesMax(operation) > limits.bodyBytes;
}

/** Throws PAYLOAD_TOO_LARGE when the announced length exceeds the operation's limit. */
export function checkAnnouncedLength(request: IncomingMessage, operation: Operation): void {
  const limitBytes = bodyBytesMax(operation);
  if (operation.method !== 'GET' && Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw tooLarge(limitBytes);
  }
}

/** The body that the service gets of a received request. Throws PAYLOAD_TOO_LARGE. */
export function receivedBody(exchange: Exchange, operation: Operation): Buffer | null {
  if (!forwardsBody(exchange, operation)) return null;
  // Read once, and kept for another attempt.
  exchange.body ??= exchange.request.read() as Buffer | null;
  const limitBytes = bodyBytesMax(operation);
  if (exchange.body && exchange.body.length > limitBytes) throw tooLarge(limitBytes);
  return exchange.body;
}

/** Counts a body of unknown length, and passes PAYLOAD_TOO_LARGE to `refuse` beyond the limit. */
export function limitBody(
  request: IncomingMessage,
  operation: Operation,
  refuse: (error: ApiError) => void,
): void {
  const limitBytes = bodyBytesMax(operation);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) return;
    request.off('data', count);
    refuse(tooLarge(limitBytes));
  };
  request.on('data', count);
}

/**
 * Resolves when the body is received whole, or as much of it as Node buffers (64 KiB). Until then a slow body
 * does not count against the concurrency limit. Throws REQUEST_TIMEOUT after `timeoutMs`, and ClientGone.
 */
export async function bodyBuffered(request: IncomingMessage, timeoutMs: number): Promise<void> {
  const isBuffered = () => request.complete || request.readableLength >= request.readableHighWaterMark;
  if (isBuffered()) return;
  if (request.destroyed) throw new ClientGone();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onReadable = () => isBuffered() && resolve();
  const onClose = () => reject(new ClientGone());
  const timer = setTimeout(() => reject(new ApiError('REQUEST_TIMEOUT')), timeoutMs);
  request.on('readable', onReadable);
  request.on('close', onClose);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    request.off('readable', onReadable);
    request.off('close', onClose);
  }
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}
