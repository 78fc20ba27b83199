import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../process/run-command.ts';
import type { StoreProcess } from './store-process.ts';

const CHECK_MS = 5_000;
const RETRY_MS = 1_000;

/**
 * Restarts a store or another process that has died, and a store that reports an error from which only a
 * restart recovers, until the returned function is called.
 */
export function keepRunning(
  store: Pick<StoreProcess, 'name' | 'exited' | 'restart'> & Partial<Pick<StoreProcess, 'isStuck'>>,
  log: Log,
  { checkMs = CHECK_MS, retryMs = RETRY_MS }: { checkMs?: number; retryMs?: number } = {},
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Resolves when the store needs a restart, with the reason; null when it is released. */
  async function problem(): Promise<string | null> {
    // Not a race with `exited` at each check: that would leave a reaction on the promise each time.
    const ended = new AbortController();
    void store.exited.then(() => ended.abort());
    const wake = AbortSignal.any([signal, ended.signal]);
    while (!wake.aborted) {
      await delay(checkMs, null, { signal: wake }).catch(() => undefined);
      if (!wake.aborted && (await store.isStuck?.())) return 'cannot write';
    }
    return signal.aborted ? null : 'has ended';
  }

  async function run(): Promise<void> {
    for (let found = await problem(); found !== null; found = await problem()) {
      if (signal.aborted) return;
      log(`${store.name} ${found}; it is restarted`);
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
