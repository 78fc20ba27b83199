import type { Changes, ErrorCode } from '@waymark/contracts';
import { toApiError } from '@waymark/service-kit/http';
import { isUnavailable, serviceContext } from '@waymark/service-kit/store';
import { FILE_MS, type ImportRecord, noCounts } from '../store/index.ts';
import { checkFile } from './checking/check-file.ts';
import { importedEvent } from './new-import.ts';
import { readFile } from './reading/read-file.ts';
import { beginWork, type WorkContext } from './work/begin-work.ts';
import { isVerdict, type Work, WorkLost } from './work/work.ts';
import { writeFile } from './writing/write-file.ts';

const IMPORT_DEADLINE_MS = FILE_MS - 86_400_000;
const RETRY_MS = 2_000;
const FAILURES_MAX = 5;
/** The allowed number of consecutive claims whose process disappeared before the import made progress. */
const LOST_CLAIMS_MAX = 5;

/** An upgrade takes less. During one, the old replicas of a service may lack an operation. */
const UPGRADE_MS = 3_600_000;

/**
 * NOT_FOUND is from a replica that lacks the operation, or has removed the workspace: then this service
 * removes the import too.
 */
const AWAY: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'DATABASE_NOT_CONFIGURED', 'NOT_FOUND'];

const GIVEN_UP = `The import could not be finished: ${LOST_CLAIMS_MAX} times in a row, the process that worked on it was killed or hung before the import got further. The file may be the cause.`;

/** Continues a claimed import until it ends, fails for now, or is lost to another process. */
export async function runImport(service: WorkContext, job: ImportRecord, stopping: AbortSignal) {
  job.started_at ??= new Date(service.now()).toISOString();
  const work = beginWork(service, job, stopping);
  try {
    if (job.claims_without_progress > LOST_CLAIMS_MAX) work.report.issue(job.phase, GIVEN_UP);
    else await runPhases(work);
    await finish(service, job);
  } catch (error) {
    // The claim is not renewed after it has been released.
    await work.end();
    if (!(error instanceof WorkLost)) await retryOrFinish(service, work, error);
    else if (stopping.aborted) await service.store.jobs.release(job);
  } finally {
    await work.end();
  }
}

async function runPhases(work: Work): Promise<void> {
  const { job, save } = work;
  await save();
  const enter = async (phase: ImportRecord['phase']) => {
    job.phase = phase;
    job.cursor = { step: 0, after: -1 };
    job.progress.done = noCounts();
    await save();
  };
  if (job.phase === 'reading') {
    await readFile(work);
    if (job.issue_count > 0) return;
    await enter('checking');
  }
  if (job.phase === 'checking') {
    const steps = await checkFile(work);
    job.progress.done.links = job.progress.total!.links;
    if (job.issue_count > 0) return;
    if (job.dry_run) return writeFile(work, steps);
    await enter('writing');
  }
  await writeFile(work, 0);
}

/** Ends an import with its event: of a check with what it found, of an import for whoever began it. */
async function finish({ commit, now, store }: WorkContext, job: ImportRecord): Promise<void> {
  const status = job.issue_count > 0 ? 'failed' : 'succeeded';
  const finished_at = new Date(now()).toISOString();
  const { id: import_id, workspace_id, created_by } = job;
  const ctx = serviceContext('transfer', workspace_id, 'workspace.import_check');
  const isEnded = await commit(ctx, async (tx) => {
    if (!(await store.jobs.save(job, { status, finished_at }, tx.session))) return false;
    if (job.dry_run) {
      const actor = { ...created_by, key_prefix: null };
      tx.emit('workspace.imported', { ...importedEvent(job), actor, changes: countsOf(job) });
    } else {
      tx.emit('workspace.import_finished', {
        subject: { type: 'workspace', id: workspace_id, version: 1 },
        data: { import_id, started_by: created_by.type === 'session' ? created_by.id : null },
        action: null,
      });
    }
    return true;
  });
  if (isEnded) await store.removeFile(job.id);
}

/** Returns what a check found, as an audit entry shows it. */
function countsOf({ progress: { total, present, left_out }, issue_count }: ImportRecord): Changes {
  const sum = (counts: object) => Object.values(counts).reduce((all, count) => all + count, 0);
  const found = {
    records_in_file: sum(total ?? {}),
    records_here_already: sum(present),
    records_left_out: sum(left_out),
    faults: issue_count,
  };
  return Object.fromEntries(Object.entries(found).map(([name, after]) => [name, { before: null, after }]));
}

/** Schedules another attempt after a temporary error. Reports a permanent error and finishes the import. */
async function retryOrFinish(service: WorkContext, work: Work, error: unknown): Promise<void> {
  const { job, report } = work;
  const known = toApiError(error, isUnavailable);
  const isAway = AWAY.includes(known.code);
  const isUnknown = known.code === 'NOT_FOUND';
  const deadlineMs = isUnknown ? UPGRADE_MS : IMPORT_DEADLINE_MS;
  const isLate = service.now() > Date.parse(job.created_at) + deadlineMs;
  if (isVerdict(error)) report.issue(job.phase, error.message);
  else if (isLate || (!isAway && job.failures >= FAILURES_MAX)) {
    const cause = isUnknown ? 'a service is older than the others and lacks an operation.' : known.message;
    report.issue(job.phase, `The import could not be finished: ${cause}`);
  } else {
    service.log.warn({ err: error, import_id: job.id }, 'import failed for now; it will be retried');
    const failures = job.failures + (isAway ? 0 : 1);
    await service.store.jobs.retryLater(job, RETRY_MS, failures);
    return;
  }
  await finish(service, job);
}
