import type { IncomingMessage } from 'node:http';
import { ApiError, limits, type Operation } from '@waymark/contracts';

/** Whether an operation has a body; whatever comes with another is left unread. */
export function takesBody(operation: Operation): boolean {
  return operation.body !== undefined || operation.bodyContentTypes !== undefined;
}

/** Whether an operation takes bodies so large that only their progress can be asked for, not their end. */
export function mayStream(operation: Operation): boolean {
  return bodyLimitBytes(operation) > limits.bodyBytes;
}

/** Throws PAYLOAD_TOO_LARGE for a body that announces more than its operation takes. */
export function checkAnnouncedLength(request: IncomingMessage, operation: Operation): void {
  const limitBytes = bodyLimitBytes(operation);
  if (operation.method !== 'GET' && Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw tooLarge(limitBytes);
  }
}

/** Counts a body whose length nobody has announced, and hands PAYLOAD_TOO_LARGE to `refuse` when it outgrows its limit. */
export function limitBody(
  request: IncomingMessage,
  operation: Operation,
  refuse: (error: ApiError) => void,
): void {
  const limitBytes = bodyLimitBytes(operation);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) return;
    request.off('data', count);
    refuse(tooLarge(limitBytes));
  };
  request.on('data', count);
}

function bodyLimitBytes(operation: Operation): number {
  return operation.bodyLimitBytes ?? limits.bodyBytes;
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${limitBytes} bytes.` });
}
