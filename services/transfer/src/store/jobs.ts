import { type ExportCollection, exportCollections, type ImportJob, newId } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  leaseFree,
  leaseReleased,
  leaseTaken,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Filter } from 'mongodb';

export type ImportFormat = 'json' | 'zip';

/** An import as it is stored: the job that callers see, and the state of the work on it. */
export interface ImportRecord extends ImportJob {
  format: ImportFormat;
  /** Number of chunks of the file. */
  chunks: number;
  /** Fencing token: incremented with each claim, so that an earlier claimant can no longer write. */
  fence: number;
  /** Imports are claimed in this order. A retry goes to the end of the queue. */
  queued_at: Date;
  /** The completed steps of the phase, and the last record that the next step has processed. */
  cursor: { step: number; after: number };
  /** Attempts that ended in an unexpected error. */
  failures: number;
  /** Claims since the last progress, the current one included. */
  claims_without_progress: number;
  /** Pieces of the file that the furthest reading has reached; each reading starts at the beginning. */
  furthest_piece: number;
  expires_at: Date;
}

export const JOBS = 'import_jobs';
const UNFINISHED = ['queued', 'running'] as const;

export const noCounts = () =>
  Object.fromEntries(exportCollections.map((name) => [name, 0])) as Record<ExportCollection, number>;

/** An orderly release of a claim does not count as a claim without progress. */
const uncounted = ({ claims_without_progress: claims }: ImportRecord) => ({
  claims_without_progress: Math.max(0, claims - 1),
});

export function importJobs(database: Database) {
  const jobs = database.collection<Stored<ImportRecord>>(JOBS);
  const owner = newId();

  /**
   * Writes if the claim is still valid. Returns false when another replica has claimed the import or the
   * import was deleted.
   */
  async function save({ id, fence }: ImportRecord, set: Partial<Stored<ImportRecord>>): Promise<boolean> {
    return (await jobs.updateOne({ _id: id, fence }, { $set: set })).matchedCount === 1;
  }

  return {
    async byId(id: string): Promise<ImportRecord | null> {
      const found = await jobs.findOne({ _id: id });
      return found && fromDocument<ImportRecord>(found);
    },

    async insert(job: ImportRecord, session?: ClientSession): Promise<void> {
      await jobs.insertOne(toDocument(job), { ...(session && { session }) });
    },

    countUnfinished: (workspaceId: string, session: ClientSession) =>
      jobs.countDocuments({ workspace_id: workspaceId, status: { $in: [...UNFINISHED] } }, { session }),

    /**
     * Leases the first free unfinished import of the queue. With `alongside` (the process runs another
     * import), it claims no import whose last claim made no progress, because that import may crash the
     * process. While such an import waits, it claims none at all, so that the process becomes free for it.
     */
    async claim({
      leaseMs,
      alongside,
    }: {
      leaseMs: number;
      alongside: boolean;
    }): Promise<ImportRecord | null> {
      const filter: Filter<Stored<ImportRecord>> = { status: { $in: [...UNFINISHED] }, ...leaseFree() };
      if (alongside) {
        if (await jobs.findOne({ ...filter, claims_without_progress: { $gt: 0 } })) return null;
        filter.claims_without_progress = 0;
      }
      const claimed = leaseTaken<Stored<ImportRecord>>(owner, leaseMs, {
        $set: { status: 'running' },
        $inc: { fence: 1, claims_without_progress: 1 },
      });
      const found = await jobs.findOneAndUpdate(filter, claimed, {
        sort: { queued_at: 1 },
        returnDocument: 'after',
      });
      return found && fromDocument<ImportRecord>(found);
    },

    save,

    /** Extends the claim and saves its counters. Returns false in the same cases as `save`. */
    async renew(
      { id, fence, claims_without_progress, furthest_piece }: ImportRecord,
      leaseMs: number,
    ): Promise<boolean> {
      const $set = { claims_without_progress, furthest_piece };
      const renewed = leaseTaken<Stored<ImportRecord>>(owner, leaseMs, { $set });
      return (await jobs.updateOne({ _id: id, fence }, renewed)).matchedCount === 1;
    },

    /** Releases the claim, so that any process can claim the import immediately. */
    async release(job: ImportRecord): Promise<void> {
      await jobs.updateOne({ _id: job.id, fence: job.fence }, leaseReleased({ $set: uncounted(job) }));
    },

    /** Releases the claim for another attempt after a delay. */
    async retryLater(job: ImportRecord, delayMs: number, failures: number): Promise<void> {
      const retry = leaseTaken<Stored<ImportRecord>>(owner, delayMs, {
        $set: { ...uncounted(job), failures },
        $currentDate: { queued_at: true },
      });
      await jobs.updateOne({ _id: job.id, fence: job.fence }, retry);
    },
  };
}
