import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../acquire/run-command.ts';
import type { StoreProcess } from './store-process.ts';

const CHECK_MS = 5_000;
const RETRY_MS = 1_000;

/**
 * Restarts a store that has died, and one that reports an error from which only a restart recovers, until
 * the returned function is called.
 */
export function keepRunning(
  store: Pick<StoreProcess, 'name' | 'exited' | 'isStuck' | 'restart'>,
  log: Log,
  { checkMs = CHECK_MS, retryMs = RETRY_MS }: { checkMs?: number; retryMs?: number } = {},
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Returns why the store needs a restart, or null for now. */
  async function reason(): Promise<string | null> {
    const pause = delay(checkMs, null, { signal });
    const died = await Promise.race([store.exited.then(() => true), pause]);
    if (died) return 'has ended';
    return (await store.isStuck()) ? 'cannot write' : null;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const problem = await reason();
      if (problem === null || signal.aborted) continue;
      log(`${store.name} ${problem}; it is restarted`);
      await store.restart().catch(async (error: Error) => {
        log(`${store.name} did not start again: ${error.message}`);
        await delay(retryMs, null, { signal });
      });
    }
  }

  // Rejects only when it is stopped during a pause.
  run().catch(() => undefined);
  return () => stopping.abort();
}
