export const IDEMPOTENCY_KEY = 'idempotency-key';

/** A longer wait is left to the caller. */
const LONGEST_WAIT_SECONDS = 60;
const FIRST_WAIT_SECONDS = 0.5;
/** Clients that were refused together do not come back together. */
const JITTER = 0.25;

type Send = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is repeated. */
  retries: number;
  /** Whether a request must not be repeated. */
  isOnce?: (request: Request) => boolean;
  /** Replaces the wait between two requests. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Returns the seconds in Retry-After, or null. */
export function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Gives up when an answer does not begin in time, unless the request may take long. */
export function withTimeout(send: Send, timeoutMs: number, mayTakeLong: (request: Request) => boolean): Send {
  return async (request) => {
    if (mayTakeLong(request)) return send(request);
    const controller = new AbortController();
    const reason = new DOMException(`no answer began within ${timeoutMs} ms`, 'TimeoutError');
    const timer = setTimeout(() => controller.abort(reason), timeoutMs);
    try {
      return await send(
        new Request(request, { signal: AbortSignal.any([request.signal, controller.signal]) }),
      );
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Repeats requests after the wait that Retry-After asks for. A request that was refused before it did
 * something is always repeated; after an outage or without an answer, only what can be done twice: reads,
 * and changes with an Idempotency-Key; and those once after a 500.
 */
export function withRetries(send: Send, { retries, isOnce = () => false, pause = wait }: RetryOptions): Send {
  return async (request) => {
    const canRepeat = request.method === 'GET' || request.headers.has(IDEMPOTENCY_KEY);
    for (let repeated = 0; ; repeated += 1) {
      const isLast = repeated >= retries || isOnce(request);
      const backoff = FIRST_WAIT_SECONDS * 2 ** repeated;
      let seconds: number;
      try {
        const response = await send(isLast ? request : request.clone());
        seconds = retryAfterOf(response) ?? backoff;
        if (isLast || seconds > LONGEST_WAIT_SECONDS || !isTemporary(response, canRepeat, repeated))
          return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || !canRepeat || request.signal.aborted) throw error;
        seconds = backoff;
      }
      await pause(seconds * 1_000 * (1 + JITTER * Math.random()), request.signal);
    }
  };
}

/** A CONFLICT with Retry-After: another request with the same Idempotency-Key is in progress. */
function isTemporary({ status, headers }: Response, canRepeat: boolean, repeated: number): boolean {
  if (status === 503) return canRepeat;
  if (status === 500) return canRepeat && repeated === 0;
  return status === 408 || status === 429 || (status === 409 && headers.has('retry-after'));
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
