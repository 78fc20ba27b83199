import type { ServerResponse } from 'node:http';
import { ApiError, errorBody, errorHeaders, type Operation } from '@waymark/contracts';
import type { Logger } from '../process/logger.ts';
import { endLingering } from './linger.ts';

/** Sends the error body, or breaks the connection if the response has begun. */
export function fail(
  error: unknown,
  {
    response,
    requestId,
    log,
    operation,
    isUnavailable,
  }: {
    response: ServerResponse;
    requestId: string;
    log: Logger;
    operation: Operation | undefined;
    isUnavailable?: ((error: unknown) => boolean) | undefined;
  },
): void {
  if (response.headersSent || response.destroyed) {
    // A broken stream must not look complete: the connection ends without the final chunk.
    if (!isClientAbort(error)) log.warn({ err: error, request_id: requestId }, 'response stream aborted');
    response.destroy();
    return;
  }
  const known = toApiError(error, isUnavailable);
  if (known.status >= 500) {
    const level = known.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
    log[level]({ err: error, request_id: requestId, operation: operation?.id }, 'request failed');
  }
  for (const [name, value] of Object.entries(errorHeaders(known))) response.setHeader(name, value);
  const body = Buffer.from(JSON.stringify(errorBody(known, requestId)));
  response.statusCode = known.status;
  for (const name of ['ETag', 'Link']) response.removeHeader(name);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', body.length);
  if (response.req.complete) return void response.end(body);
  // An unread body would be parsed as the next request on this connection.
  response.setHeader('connection', 'close');
  response.write(body);
  endLingering(response.req, response);
}

function isClientAbort(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'AbortError' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET';
}

/** Returns an ApiError unchanged; any other error becomes SERVICE_UNAVAILABLE or INTERNAL_ERROR. */
export function toApiError(error: unknown, isUnavailable?: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable?.(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR', { cause: error });
}
