import type { IncomingMessage } from 'node:http';
import { ApiError } from '@waymark/contracts';
import { ClientGone } from './upstream-failure.ts';

/**
 * Resolves when a request's body is here whole, or as much of it as Node keeps unread (64 KiB): before that it holds no place
 * at a service, however slowly it comes. Reads nothing. Throws REQUEST_TIMEOUT after `timeoutMs`, ClientGone.
 */
export async function bodyAtHand(request: IncomingMessage, timeoutMs: number): Promise<void> {
  if (isAtHand(request)) return;
  if (request.destroyed) throw new ClientGone();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onReadable = () => isAtHand(request) && resolve();
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

function isAtHand(request: IncomingMessage): boolean {
  return request.complete || request.readableLength >= request.readableHighWaterMark;
}
