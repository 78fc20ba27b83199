import {
  type ExportCollection,
  exportCollections,
  type ImportJob,
  newId,
  type QualityModel,
} from '@waymark/contracts';
import {
  type Database,
  inSession,
  leaseFree,
  leaseReleased,
  leaseTaken,
  recordCollection,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Filter, UpdateFilter } from 'mongodb';

export type ImportFormat = 'json' | 'zip';

export interface ImportRecord extends ImportJob {
  format: ImportFormat;
  chunks: number;
  /** Fencing token: each claim increments it, so that an earlier claimant can no longer write. */
  fence: number;
  /** The user or service account whose credentials created it; null for imports from before this field. */
  user_id: string | null;
  /** Where the file came from; null once the import has finished, and for imports from before this field. */
  network: string | null;
  /** The most unfinished imports of its workspace, user or network before it. Lower numbers go first. */
  ahead: number;
  /** The model that scores Markdown decisions; absent for imports from before this field. */
  quality_model?: QualityModel | undefined;
  /** Whether an admin with a session started it: then it may set rules. Absent for imports from before. */
  sets_rules?: boolean | undefined;
  /** The order of imports with the same number `ahead`. A retry goes to the end. */
  queued_at: Date;
  /** The completed steps of the phase, and the last record that the next step has processed. */
  cursor: { step: number; after: number };
  failures: number;
  /** Claims since the last progress, the current one included. */
  claims_without_progress: number;
  /** Pieces of the file that the furthest reading has reached; each reading starts at the beginning. */
  furthest_piece: number;
  expires_at: Date;
}

/** The fields by which a running import keeps others from running beside it. */
export type Running = Pick<ImportRecord, 'workspace_id' | 'user_id' | 'network'>;

export const JOBS = 'import_jobs';
const UNFINISHED = ['queued', 'running'] as const;

export const noCounts = () =>
  Object.fromEntries(exportCollections.map((name) => [name, 0])) as Record<ExportCollection, number>;

/** An orderly release of a claim does not count as a claim without progress. */
const uncounted = ({ claims_without_progress: claims }: ImportRecord) => ({
  claims_without_progress: Math.max(0, claims - 1),
});

type StoredJob = Stored<ImportRecord>;

export function importJobs(database: Database) {
  const { collection: jobs, ...records } = recordCollection<ImportRecord>(database, JOBS);
  const owner = newId();

  /** Imports from before a collection existed have no counts of it. */
  function recordOf(found: unknown): ImportRecord {
    const job = records.recordOf(found);
    const counts = Object.entries(job.progress).map(([name, some]) => [
      name,
      some && { ...noCounts(), ...some },
    ]);
    return { ...job, progress: Object.fromEntries(counts) };
  }

  /** Returns false when another replica has claimed the import, or when it was deleted. */
  async function update(
    { id, fence }: ImportRecord,
    change: UpdateFilter<StoredJob>,
    session?: ClientSession,
  ): Promise<boolean> {
    return (await jobs.updateOne({ _id: id, fence }, change, inSession(session))).matchedCount === 1;
  }

  return {
    async byId(id: string): Promise<ImportRecord | null> {
      const found = await jobs.findOne({ _id: id });
      return found && recordOf(found);
    },

    async insert(job: ImportRecord, session?: ClientSession): Promise<void> {
      await jobs.insertOne(toDocument(job), inSession(session));
    },

    countUnfinished: (of: Partial<Running>, session: ClientSession) =>
      jobs.countDocuments({ ...of, status: { $in: [...UNFINISHED] } }, { session }),

    /**
     * Leases the first free unfinished import of the queue, of another workspace, user and network than the
     * imports that the process runs (`beside`). Beside any, it claims none while an import waits whose last
     * claim made no progress: that one may crash its process.
     */
    async claim({ leaseMs, beside }: { leaseMs: number; beside: readonly Running[] }) {
      const filter: Filter<StoredJob> = { status: { $in: [...UNFINISHED] }, ...leaseFree() };
      if (beside.length > 0) {
        if (await jobs.findOne({ ...filter, claims_without_progress: { $gt: 0 } })) return null;
        filter.claims_without_progress = 0;
        filter.workspace_id = { $nin: beside.map((job) => job.workspace_id) };
        filter.user_id = { $nin: beside.flatMap((job) => job.user_id ?? []) };
        filter.network = { $nin: beside.flatMap((job) => job.network ?? []) };
      }
      const claimed = leaseTaken<StoredJob>(owner, leaseMs, {
        $set: { status: 'running' },
        $inc: { fence: 1, claims_without_progress: 1 },
      });
      const options = { sort: { ahead: 1, queued_at: 1 }, returnDocument: 'after' } as const;
      const found = await jobs.findOneAndUpdate(filter, claimed, options);
      return found && recordOf(found);
    },

    save(
      job: ImportRecord,
      end?: Pick<ImportJob, 'status' | 'finished_at'>,
      session?: ClientSession,
    ): Promise<boolean> {
      const { phase, progress, cursor, started_at } = job;
      const { issues, issue_count, warnings, warning_count } = job;
      const { claims_without_progress, furthest_piece } = job;
      const work = { ...(end && { ...end, network: null }), phase, progress, cursor, started_at };
      const findings = { issues, issue_count, warnings, warning_count };
      const $set = { ...work, ...findings, claims_without_progress, furthest_piece };
      return update(job, { $set }, session);
    },

    renew(job: ImportRecord, leaseMs: number): Promise<boolean> {
      const { claims_without_progress, furthest_piece } = job;
      const $set = { claims_without_progress, furthest_piece };
      return update(job, leaseTaken<StoredJob>(owner, leaseMs, { $set }));
    },

    release: (job: ImportRecord) => update(job, leaseReleased<StoredJob>({ $set: uncounted(job) })),

    retryLater(job: ImportRecord, delayMs: number, failures: number): Promise<boolean> {
      const $set = { ...uncounted(job), failures };
      const $currentDate = { queued_at: true } as const;
      return update(job, leaseTaken<StoredJob>(owner, delayMs, { $set, $currentDate }));
    },
  };
}
