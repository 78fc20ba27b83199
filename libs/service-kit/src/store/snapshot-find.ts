import { ApiError } from '@waymark/contracts';
import { type Document, MongoServerError, type Timestamp } from 'mongodb';
import type { Database } from './database.ts';

export interface SnapshotReply {
  /** The documents as BSON. */
  documents: Uint8Array[];
  asOf: Timestamp;
}

/**
 * Returns the reply to a `find` command as of the time of an earlier reply, or by default of the latest time.
 */
export type SnapshotFind = (find: Document, asOf?: Timestamp) => Promise<SnapshotReply>;

/**
 * Reads as of one time, in any order and in parallel, which a transaction does not allow. MongoDB keeps
 * snapshots for minSnapshotHistoryWindowInSeconds, five minutes by default. Throws SERVICE_UNAVAILABLE for an
 * older snapshot.
 */
export function snapshotFind({ db }: Pick<Database, 'db'>): SnapshotFind {
  return async (find, asOf) => {
    const readConcern = { level: 'snapshot', ...(asOf && { atClusterTime: asOf }) };
    try {
      // No cursor: the driver may send the next command to another server. A result above 16 MiB needs
      // another `find`.
      const command = { ...find, singleBatch: true, readConcern };
      const { cursor } = await db.command(command, { fieldsAsRaw: { firstBatch: true } });
      return { documents: cursor.firstBatch, asOf: cursor.atClusterTime };
    } catch (error) {
      if (!isTooOld(error)) throw error;
      const message = 'The snapshot of this answer has expired; try again.';
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
