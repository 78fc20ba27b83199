import { ApiError } from '@waymark/contracts';
import { type Document, MongoServerError, type Timestamp } from 'mongodb';
import type { Database } from './database.ts';

export interface SnapshotReply {
  /** As BSON. */
  documents: Uint8Array[];
  asOf: Timestamp;
}

/**
 * Returns one reply to a `find` command as of one time: the time of an earlier reply, or by default the
 * latest.
 */
export type SnapshotFind = (find: Document, asOf?: Timestamp) => Promise<SnapshotReply>;

/**
 * Reads as of one time, in any order and in parallel, which a transaction does not allow. MongoDB keeps
 * snapshots for minSnapshotHistoryWindowInSeconds, five minutes by default; a read of an older one throws
 * SERVICE_UNAVAILABLE.
 */
export function snapshotFind({ db }: Pick<Database, 'db'>): SnapshotFind {
  return async (find, asOf) => {
    const readConcern = { level: 'snapshot', ...(asOf && { atClusterTime: asOf }) };
    try {
      // No cursor: the driver may send the next command to another server. More than 16 MiB needs another
      // `find`.
      const command = { ...find, singleBatch: true, readConcern };
      const { cursor } = await db.command(command, { fieldsAsRaw: { firstBatch: true } });
      return { documents: cursor.firstBatch, asOf: cursor.atClusterTime };
    } catch (error) {
      if (!isTooOld(error)) throw error;
      const message = 'The answer took longer than its snapshot is kept; try again.';
      throw new ApiError('SERVICE_UNAVAILABLE', { message, cause: error });
    }
  };
}

function isTooOld(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.codeName === 'SnapshotTooOld' || error.codeName === 'SnapshotUnavailable')
  );
}
