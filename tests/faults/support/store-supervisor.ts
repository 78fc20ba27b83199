import { keepRunning, type StoreProcess } from '@waymark/local-stack';

/** Restarts stores that have ended or are stuck, as `npm start` does, but not while the machine is off. */
export interface StoreSupervisor {
  /** Resolves when no restart is under way, and lets none begin. */
  pause(): Promise<void>;
  resume(): void;
  stop(): void;
}

const CHECK_MS = 250;
const RETRY_MS = 250;

export function superviseStores(stores: readonly StoreProcess[]): StoreSupervisor {
  const restarts = new Set<Promise<void>>();
  let on = Promise.withResolvers<void>();
  on.resolve();

  const releases = stores.map((store) =>
    keepRunning(
      {
        name: store.name,
        get exited() {
          return store.exited;
        },
        isStuck: () => store.isStuck(),
        async restart() {
          await on.promise;
          const restart = store.restart();
          restarts.add(restart);
          await restart.finally(() => restarts.delete(restart));
        },
      },
      (line) => process.stderr.write(`  ${line}\n`),
      { checkMs: CHECK_MS, retryMs: RETRY_MS },
    ),
  );
  return {
    async pause() {
      on = Promise.withResolvers();
      await Promise.allSettled([...restarts]);
    },
    resume: () => on.resolve(),
    stop() {
      for (const release of releases) release();
    },
  };
}
