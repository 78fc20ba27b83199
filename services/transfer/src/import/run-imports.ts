import { periodicTask } from '@waymark/service-kit/jobs';
import { runImport } from './run-import.ts';
import type { WorkContext } from './work/begin-work.ts';

const IMPORTS_AT_ONCE = 2;

export interface ImportRunner {
  start(): void;
  /** Looks for work immediately. */
  trigger(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs imports in the background, two at a time in this process. A process claims an import with a lease and
 * renews it. If the process disappears, another continues the import from the first unfinished portion. It
 * runs such an import alone, because the import may crash its process and with it other imports.
 */
export function runImports(service: WorkContext, everyMs: number): ImportRunner {
  const { store, log, leaseMs } = service;
  const running = new Set<Promise<void>>();
  let isAlone = false;

  const claiming = periodicTask({
    everyMs,
    run: claimImports,
    onError: (error) => log.warn({ err: error }, 'imports not claimed; tried again later'),
  });

  async function claimImports(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && running.size < (isAlone ? 1 : IMPORTS_AT_ONCE)) {
      const job = await store.jobs.claim({ leaseMs, alongside: running.size > 0 });
      if (!job) return;
      isAlone = job.claims_without_progress > 1;
      const run = runImport(service, job, stopping)
        .catch((error) => log.warn({ err: error, import_id: job.id }, 'import left to its lease'))
        .finally(() => {
          running.delete(run);
          void claiming.trigger();
        });
      running.add(run);
    }
  }

  return {
    start: claiming.start,
    trigger: claiming.trigger,
    async stop() {
      await claiming.stop();
      await Promise.all(running);
    },
  };
}
