import { type ServiceRuntime, toApiError } from '@waymark/service-kit';
import { FILE_DAYS } from '../create-import.ts';
import { type ImportRecord, type ImportStore, noCounts } from '../store/imports.ts';
import { checkFile, isVerdict } from './check-file.ts';
import { readFile } from './read-file.ts';
import { findingsOf, reportOf } from './report.ts';
import { type Work, WorkLost } from './work.ts';
import { writeFile } from './write-file.ts';

const IMPORTS_AT_ONCE = 2;
const RETRY_MS = 2_000;
/** Tries that end in what nobody has foreseen. */
const FAILURES_MAX = 5;
const DAY_MS = 86_400_000;

/**
 * Does imports, two at a time in this process. Each belongs to one process by a lease, which every step renews; what a
 * process leaves behind is taken up by any other, from the portion that was not finished.
 */
export function runImports(options: {
  runtime: ServiceRuntime;
  store: ImportStore;
  everyMs: number;
  leaseMs: number;
}) {
  const { runtime, store, everyMs, leaseMs } = options;
  const { call, log, now } = runtime;
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function workOn(job: ImportRecord): Work & { release(): void } {
    const report = reportOf(job);
    let isLost = false;
    async function save(): Promise<void> {
      if (isStopped || isLost) throw new WorkLost();
      job.leased_until = iso(now() + leaseMs);
      const { phase, progress, cursor, leased_until, started_at } = job;
      const set = { phase, progress, cursor, leased_until, started_at, ...findingsOf(report) };
      isLost = !(await store.save(job, set));
      if (isLost) throw new WorkLost();
    }
    // A portion can take longer than a lease.
    const heartbeat = setInterval(() => {
      const leased_until = iso(now() + leaseMs);
      store.save(job, { leased_until }).then(
        (isOurs) => {
          isLost ||= !isOurs;
          if (isOurs) job.leased_until = leased_until;
        },
        (error) => log.warn({ err: error, import_id: job.id }, 'lease of an import not renewed'),
      );
    }, leaseMs / 3);
    return { job, store, call, report, save, release: () => clearInterval(heartbeat) };
  }

  async function phases(work: Work): Promise<void> {
    const { job, report, save } = work;
    const enter = async (phase: ImportRecord['phase']) => {
      job.phase = phase;
      job.cursor = { step: 0, after: -1 };
      job.progress.done = noCounts();
      await save();
    };
    if (job.phase === 'reading') {
      await readFile(work);
      if (report.issue_count > 0) return;
      await enter('checking');
    }
    if (job.phase === 'checking') {
      await checkFile(work);
      job.progress.done.links = job.progress.total!.links;
      if (report.issue_count > 0 || job.dry_run) return;
      await enter('writing');
    }
    await writeFile(work);
  }

  async function end({ job, report }: Work): Promise<void> {
    const status = report.issue_count > 0 ? ('failed' as const) : ('succeeded' as const);
    const { phase, progress } = job;
    const set = { status, phase, progress, finished_at: iso(now()), ...findingsOf(report) };
    if (await store.save(job, set)) await store.removeFile(job.id);
  }

  /** What keeps an import from going on for now ends in another try; what never will, in its report. */
  async function fail(work: Work, error: unknown): Promise<void> {
    const { job, report } = work;
    const known = toApiError(error);
    const isAway = known.code === 'SERVICE_UNAVAILABLE' || known.code === 'DATABASE_NOT_CONFIGURED';
    const isOver = now() > Date.parse(job.created_at) + (FILE_DAYS - 1) * DAY_MS;
    if (isVerdict(error)) report.issue(job.phase, error.message);
    else if (known.code === 'NOT_FOUND') report.issue(job.phase, 'The workspace is gone.');
    else if (isOver || (!isAway && job.failures >= FAILURES_MAX)) {
      report.issue(job.phase, `The import could not be finished: ${known.message}`);
    } else {
      log.warn({ err: error, import_id: job.id }, 'import broken off; it goes on later');
      const failures = job.failures + (isAway ? 0 : 1);
      await store.save(job, { failures, leased_until: '', due_at: iso(now() + RETRY_MS) });
      return;
    }
    await end(work);
  }

  async function run(job: ImportRecord): Promise<void> {
    job.started_at ??= iso(now());
    const work = workOn(job);
    try {
      await work.save();
      await phases(work);
      await end(work);
    } catch (error) {
      if (!(error instanceof WorkLost)) await fail(work, error);
      else if (isStopped) await store.save(job, { leased_until: '' });
    } finally {
      work.release();
    }
  }

  async function look(): Promise<void> {
    while (!isStopped && running.size < IMPORTS_AT_ONCE) {
      const job = await store.claim(iso(now()), iso(now() + leaseMs));
      if (!job) return;
      const work = run(job)
        .catch((error) => log.warn({ err: error, import_id: job.id }, 'import left to its lease'))
        .finally(() => {
          running.delete(work);
          begin();
        });
      running.add(work);
    }
  }

  function begin(): void {
    if (isStopped) return;
    looking ??= look()
      .catch((error) => log.warn({ err: error }, 'imports not looked for; tried again later'))
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    /** Looks for work now. */
    begin,
    start() {
      timer = setInterval(begin, everyMs);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running);
    },
  };
}

export type Imports = ReturnType<typeof runImports>;
