import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** Repeats a failing task while `mayRetry` returns true, then throws the last error. */
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
