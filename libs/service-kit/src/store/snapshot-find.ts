import { ApiError } from '@waymark/contracts';
import { type Document, MongoServerError, type Timestamp } from 'mongodb';
import type { Database } from './database.ts';

export interface SnapshotReply {
  /** As BSON. */
  documents: Uint8Array[];
  asOf: Timestamp;
}

/** One reply to a `find` command, of what was there at a moment: that of an earlier reply, or by default the latest. */
export type SnapshotFind = (find: Document, asOf?: Timestamp) => Promise<SnapshotReply>;

/**
 * Reads as of one moment, in any order and at once, which a transaction does not allow. MongoDB keeps a moment for
 * minSnapshotHistoryWindowInSeconds, five minutes unless configured; a read of an older one throws SERVICE_UNAVAILABLE.
 */
export function snapshotFind({ db }: Pick<Database, 'db'>): SnapshotFind {
  return async (find, asOf) => {
    const readConcern = { level: 'snapshot', ...(asOf && { atClusterTime: asOf }) };
    try {
      // More than a reply takes, 16 MiB, is asked for anew: whom the driver asks next may not know this one's cursor.
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
