import { periodicTask } from '@waymark/service-kit/jobs';
import { failureLog } from '@waymark/service-kit/process';
import type { Running } from '../store/index.ts';
import { runImport } from './run-import.ts';
import type { WorkContext } from './work/begin-work.ts';

const IMPORTS_AT_ONCE = 2;

/**
 * Runs imports in the background, each under a lease. If a process disappears, another continues its import
 * from the first unfinished portion, and runs it alone, because it may crash its process again. A process
 * runs one import of a workspace, of a user and of a network at a time.
 */
export function runImports(service: WorkContext, everyMs: number) {
  const { store, log, leaseMs } = service;
  const running = new Map<Promise<void>, Running>();
  let isAlone = false;

  const claiming = periodicTask({
    everyMs,
    run: claimImports,
    ...failureLog(log, 'imports not claimed; tried again later'),
  });

  async function claimImports(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && running.size < (isAlone ? 1 : IMPORTS_AT_ONCE)) {
      const job = await store.jobs.claim({ leaseMs, beside: [...running.values()] });
      if (!job) return;
      isAlone = job.claims_without_progress > 1;
      const run = runImport(service, job, stopping)
        .catch((error) => log.warn({ err: error, import_id: job.id }, 'import left to its lease'))
        .finally(() => {
          running.delete(run);
          void claiming.trigger();
        });
      running.set(run, job);
    }
  }

  return {
    start: claiming.start,
    /** Looks for work immediately. */
    trigger: claiming.trigger,
    async stop() {
      await claiming.stop();
      await Promise.all(running.keys());
    },
  };
}
