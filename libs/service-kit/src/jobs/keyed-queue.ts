import { waitAtMost } from './wait-at-most.ts';

/** How long a running task delays the next one of its key. */
const HOLD_MS = 1_000;

/**
 * Runs tasks of the same key one after another within this process, so that transactions that write one guard
 * document seldom conflict. It is not a lock: a slow task is overtaken.
 */
export function keyedQueue({ holdMs = HOLD_MS } = {}) {
  /** By key: a promise that resolves when the next task may begin. */
  const tails = new Map<string, Promise<void>>();
  return {
    /** A task begins at its deadline, by `performance.now()`, at the latest; without one, in its turn. */
    async runExclusive<T>(
      key: string,
      task: () => Promise<T>,
      deadlineMs = Number.POSITIVE_INFINITY,
    ): Promise<T> {
      const before = tails.get(key);
      const { promise, resolve: letNextBegin } = Promise.withResolvers<void>();
      tails.set(key, promise);
      if (deadlineMs === Number.POSITIVE_INFINITY) await before;
      else if (before) await waitAtMost(before, Math.max(0, deadlineMs - performance.now()));
      const hold = setTimeout(letNextBegin, holdMs);
      try {
        return await task();
      } finally {
        clearTimeout(hold);
        letNextBegin();
        if (tails.get(key) === promise) tails.delete(key);
      }
    },
  };
}
