import { createBatcher } from '@waymark/service-kit/jobs';

/**
 * Runs long work once at a time per key. Callers that arrive during a run share the next one, so that no
 * result is older than the call. A run is aborted, or never started, when all of its callers have gone.
 */
export function coalesceCalls<T>(work: (key: string, signal: AbortSignal) => Promise<T>) {
  const batcher = createBatcher<AbortSignal, T>({
    keysAtOnce: Number.POSITIVE_INFINITY,
    async run(callers, key) {
      const signal = whenAllAborted(callers);
      signal.throwIfAborted();
      const result = await work(key, signal);
      return callers.map(() => result);
    },
  });

  return async (key: string, gone: AbortSignal): Promise<T> => {
    gone.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      gone.addEventListener('abort', () => reject(gone.reason), { once: true });
    });
    return Promise.race([batcher.add(gone, key), aborted]);
  };
}

function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const check = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort(signals[0]?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', check, { once: true });
  check();
  return controller.signal;
}
