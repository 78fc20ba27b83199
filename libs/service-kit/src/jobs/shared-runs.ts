import { createBatcher } from './batcher.ts';

type Work<T> = (over: AbortSignal) => Promise<T>;
export type SharedRuns<T> = (key: string, work: Work<T>, gone?: AbortSignal) => Promise<T>;

/**
 * Runs the work of a key once at a time. Callers that arrive during a run share the next one, so that many
 * cost one run at a time, and no result is older than its call. A run is aborted, or never started, when all
 * of its callers have gone.
 */
export function sharedRuns<T>(): SharedRuns<T> {
  const batcher = createBatcher<{ work: Work<T>; gone: AbortSignal }, T>({
    keysAtOnce: Number.POSITIVE_INFINITY,
    async run(callers) {
      const over = whenAllAborted(callers.map(({ gone }) => gone));
      over.throwIfAborted();
      const result = await callers.at(-1)!.work(over);
      return callers.map(() => result);
    },
  });

  return async (key, work, gone = new AbortController().signal) => {
    gone.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      gone.addEventListener('abort', () => reject(gone.reason), { once: true });
    });
    return Promise.race([batcher.add({ work, gone }, key), aborted]);
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
