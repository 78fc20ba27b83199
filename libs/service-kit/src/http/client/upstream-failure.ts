import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, internalHeaders } from '@waymark/contracts';

/**
 * A service could not be reached or did not answer: nothing was sent (`connect`), the connection broke
 * (`reset`), or the time was over (`timeout`).
 */
export class UpstreamFailure extends Error {
  readonly kind: 'connect' | 'reset' | 'timeout';

  constructor(kind: UpstreamFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
  }
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ABORT_ERR']);

/** Returns what an error of undici says about the service. */
export function upstreamFailureOf(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const { message, code, name } = error as NodeJS.ErrnoException;
  const isLate = TIMEOUTS.has(code ?? '') || name === 'TimeoutError';
  return new UpstreamFailure(isLate ? 'timeout' : 'reset', message, error);
}

/**
 * Throws SERVICE_UNAVAILABLE for the headers of a service that refuses the identity of this process. Its 401
 * would tell clients that their own credentials are wrong.
 */
export function assertIdentityAccepted(headers: IncomingHttpHeaders): void {
  if (headers[internalHeaders.identityRefused] === undefined) return;
  const cause = new Error('the service refuses the identity of this process');
  throw new ApiError('SERVICE_UNAVAILABLE', { cause });
}
