import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** Repeats a task that fails for as long as `mayRetry` returns true, then throws its last error. */
export async function retryWhile<T>(mayRetry: () => boolean, task: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!mayRetry()) throw error;
    }
    await delay(PAUSE_MS);
  }
}
