import { settledWithin } from './settled-within.ts';

/** Runs tasks of the same key one after another within this process, as long as they are quick. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** How long a task keeps others of its key from beginning. */
const HOLD_MS = 1_000;
/** How long a task waits at all. */
const WAIT_MS = 6_000;

/**
 * Turns spare transactions that write one guard document from conflicting with each other and starting again. They are a
 * courtesy, no lock: a task that takes long is overtaken, so that a store that hangs does not make a queue hang longer.
 */
export function createTurns({ holdMs = HOLD_MS, waitMs = WAIT_MS } = {}): InTurn {
  /** By key: when the next task may begin. */
  const free = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = free.get(key);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    free.set(key, promise);
    if (before) await settledWithin(before, waitMs);
    const hold = setTimeout(release, holdMs);
    try {
      return await task();
    } finally {
      clearTimeout(hold);
      release();
      if (free.get(key) === promise) free.delete(key);
    }
  };
}
