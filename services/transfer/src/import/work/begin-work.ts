import { periodicTask, waitAtMost } from '@waymark/service-kit/jobs';
import type { TransferContext } from '../../context.ts';
import type { ImportRecord } from '../../store/index.ts';
import { createReport } from './report.ts';
import { type Work, WorkLost } from './work.ts';

export type WorkContext = Pick<TransferContext, 'call' | 'commit' | 'log' | 'now' | 'store' | 'leaseMs'>;

/** The position from which the work continues after a crash. */
const positionOf = ({ phase, cursor: { step, after } }: ImportRecord) => `${phase}/${step}/${after}`;

/** Begins the work on a claimed import, and renews the claim until `end` is called. */
export function beginWork(
  { store, call, log, leaseMs }: WorkContext,
  job: ImportRecord,
  stopping: AbortSignal,
): Work & { end(): Promise<void> } {
  let isLost = false;
  let pieces = 0;
  let position = positionOf(job);

  /** A reading starts at the beginning, so it makes progress only beyond the furthest earlier piece. */
  function countProgress(): void {
    const isFurther = job.phase === 'reading' && pieces > job.furthest_piece;
    if (positionOf(job) === position && !isFurther) return;
    position = positionOf(job);
    job.furthest_piece = Math.max(job.furthest_piece, pieces);
    job.claims_without_progress = 0;
  }

  function assertOurs(): void {
    if (stopping.aborted || isLost) throw new WorkLost();
  }

  const heartbeat = periodicTask({
    everyMs: leaseMs / 3,
    async run() {
      countProgress();
      // A renewal on a broken connection must not delay the next one.
      const renewal = store.jobs.renew(job, leaseMs).then((isOurs) => {
        isLost ||= !isOurs;
      });
      await waitAtMost(renewal, leaseMs / 3);
    },
    onError: (error) => log.warn({ err: error, import_id: job.id }, 'import lease not renewed'),
  });
  heartbeat.start();

  return {
    job,
    store,
    call,
    report: createReport(job),
    async save() {
      assertOurs();
      countProgress();
      isLost = !(await store.jobs.save(job));
      assertOurs();
    },
    checkpoint() {
      assertOurs();
      pieces += 1;
    },
    end: () => heartbeat.stop(),
  };
}
