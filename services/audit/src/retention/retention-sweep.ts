import type { Logger } from '@waymark/service-kit/process';
import type { SigningKeys } from '../chain/signing.ts';
import type { RetentionStore } from '../store/retention.ts';
import { applyRetention } from './apply-retention.ts';

const DAY_MS = 86_400_000;

/** Applies the retention when it starts and then daily; replicas may do so at once. */
export function retentionSweep(options: {
  store: RetentionStore;
  keys: SigningKeys;
  days: number;
  now: () => number;
  log: Logger;
}) {
  const { store, keys, days, now, log } = options;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    const { removed, damaged } = await applyRetention(store, keys, {
      days,
      nowMs: now(),
      isStopped: () => isStopped,
    });
    for (const found of damaged) log.error(found, 'a damaged audit chain is left as it is');
    if (removed > 0) log.info({ removed }, 'audit entries past their retention removed');
  }

  function run(): void {
    running ??= sweep()
      .catch((error) => log.warn({ err: error }, 'audit retention broken off; the next sweep goes on'))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    start() {
      if (isStopped) return;
      run();
      timer = setInterval(run, DAY_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
