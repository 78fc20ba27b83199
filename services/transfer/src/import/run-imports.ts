import { setImmediate } from 'node:timers/promises';
import { toApiError } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { isUnavailable } from '@waymark/service-kit/store';
import { type ImportRecord, type ImportStore, noCounts } from '../store/index.ts';
import { checkFile, isVerdict } from './checking/check-file.ts';
import { FILE_DAYS } from './create-import.ts';
import { readFile } from './reading/read-file.ts';
import { findingsOf, reportOf } from './report.ts';
import { type Work, WorkLost } from './work.ts';
import { writeFile } from './writing/write-file.ts';

const IMPORTS_AT_ONCE = 2;
const RETRY_MS = 2_000;
/** Tries that end in what nobody has foreseen. */
const FAILURES_MAX = 5;
/** Processes in a row that were not heard of again, none of which got further than one before. */
const LOST_CLAIMS_MAX = 5;
/** How long the reading of a file has the process for itself. */
const TURN_MS = 10;
const DAY_MS = 86_400_000;

const GIVEN_UP = `The import could not be finished: ${LOST_CLAIMS_MAX} times in a row the process that was at it was killed, or hung, and none got further than one before it. The file may be the cause.`;

/** Where the work goes on after a crash. */
const placeOf = ({ phase, cursor: { step, after } }: ImportRecord) => `${phase}/${step}/${after}`;

/** Who lets go of an import has been heard of: that claim is none of those that were lost. */
const released = ({ lost_claims }: ImportRecord) => ({
  leased_until: '',
  lost_claims: Math.max(0, lost_claims - 1),
});

/**
 * Does imports, two at a time in this process. Each belongs to one process by a lease, which every step renews; what a
 * process leaves behind is taken up by any other, from the portion that was not finished. An import whose process was not heard of
 * again has the next one for itself: should it be what ends them, it takes no other along.
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
  let isAlone = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function workOn(job: ImportRecord): Work & { release(): void } {
    const report = reportOf(job);
    let isLost = false;
    let passed = 0;
    let turnedAt = performance.now();
    let place = placeOf(job);
    /** What a later phase has done stays done; the reading begins anew, and gets on where nobody was before. */
    function claims(): Pick<ImportRecord, 'lost_claims' | 'furthest'> {
      if (placeOf(job) !== place || (job.phase === 'reading' && passed > job.furthest)) {
        place = placeOf(job);
        job.furthest = Math.max(job.furthest, passed);
        job.lost_claims = 0;
      }
      return { lost_claims: job.lost_claims, furthest: job.furthest };
    }
    async function pass(): Promise<void> {
      if (isStopped || isLost) throw new WorkLost();
      passed += 1;
      if (performance.now() - turnedAt < TURN_MS) return;
      await setImmediate();
      turnedAt = performance.now();
    }
    async function save(): Promise<void> {
      if (isStopped || isLost) throw new WorkLost();
      job.leased_until = iso(now() + leaseMs);
      const { phase, progress, cursor, leased_until, started_at } = job;
      const set = { phase, progress, cursor, leased_until, started_at, ...claims(), ...findingsOf(report) };
      isLost = !(await store.save(job, set));
      if (isLost) throw new WorkLost();
    }
    // A portion can take longer than a lease.
    const heartbeat = setInterval(() => {
      const leased_until = iso(now() + leaseMs);
      store.save(job, { leased_until, ...claims() }).then(
        (isOurs) => {
          isLost ||= !isOurs;
          if (isOurs) job.leased_until = leased_until;
        },
        (error) => log.warn({ err: error, import_id: job.id }, 'lease of an import not renewed'),
      );
    }, leaseMs / 3);
    return { job, store, call, report, save, pass, release: () => clearInterval(heartbeat) };
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
    const known = toApiError(error, isUnavailable);
    const isAway = known.code === 'SERVICE_UNAVAILABLE' || known.code === 'DATABASE_NOT_CONFIGURED';
    const isOver = now() > Date.parse(job.created_at) + (FILE_DAYS - 1) * DAY_MS;
    if (isVerdict(error)) report.issue(job.phase, error.message);
    else if (known.code === 'NOT_FOUND') report.issue(job.phase, 'The workspace is gone.');
    else if (isOver || (!isAway && job.failures >= FAILURES_MAX)) {
      report.issue(job.phase, `The import could not be finished: ${known.message}`);
    } else {
      log.warn({ err: error, import_id: job.id }, 'import broken off; it goes on later');
      const failures = job.failures + (isAway ? 0 : 1);
      await store.save(job, { failures, ...released(job), due_at: iso(now() + RETRY_MS) });
      return;
    }
    await end(work);
  }

  async function run(job: ImportRecord): Promise<void> {
    job.started_at ??= iso(now());
    const work = workOn(job);
    try {
      if (job.lost_claims > LOST_CLAIMS_MAX) {
        work.report.issue(job.phase, GIVEN_UP);
        await end(work);
        return;
      }
      await work.save();
      await phases(work);
      await end(work);
    } catch (error) {
      if (!(error instanceof WorkLost)) await fail(work, error);
      else if (isStopped) await store.save(job, released(job));
    } finally {
      work.release();
    }
  }

  async function look(): Promise<void> {
    while (!isStopped && running.size < (isAlone ? 1 : IMPORTS_AT_ONCE)) {
      const job = await store.claim(iso(now()), iso(now() + leaseMs), running.size > 0);
      if (!job) return;
      isAlone = job.lost_claims > 1;
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
