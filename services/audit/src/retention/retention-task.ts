import { type PeriodicTask, periodicTask } from '@waymark/service-kit/jobs';
import type { AuditContext } from '../context.ts';
import { applyRetention } from './apply-retention.ts';

const DAY_MS = 86_400_000;

/** Applies the retention daily; replicas may do so at the same time. */
export function retentionTask({ store, keys, now, log }: AuditContext, days: number): PeriodicTask {
  return periodicTask({
    everyMs: DAY_MS,
    async run(stopping) {
      const isStopped = () => stopping.aborted;
      const { removed, damaged } = await applyRetention(store, keys, { days, nowMs: now(), isStopped });
      for (const found of damaged) log.error(found, 'a damaged audit chain keeps its old entries');
      if (removed > 0) log.info({ removed }, 'audit entries past their retention removed');
    },
    onError: (error) => log.warn({ err: error }, 'audit retention interrupted; the next run continues'),
  });
}
