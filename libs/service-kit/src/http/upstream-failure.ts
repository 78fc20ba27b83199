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
