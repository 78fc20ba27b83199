import { ApiError } from '@waymark/contracts';
import { type Document, MongoServerError, type Timestamp } from 'mongodb';
import type { Database } from './database.ts';

const TOO_OLD = new Set(['SnapshotTooOld', 'SnapshotUnavailable']);

/**
 * Returns a function that runs `find` commands as of the time of an earlier reply, in parallel.
 * Throws SERVICE_UNAVAILABLE after minSnapshotHistoryWindowInSeconds, five minutes by default.
 */
export function snapshotFind({ db }: Pick<Database, 'db'>) {
  return async (find: Document, asOf?: Timestamp): Promise<{ documents: Document[]; asOf: Timestamp }> => {
    const readConcern = { level: 'snapshot', ...(asOf && { atClusterTime: asOf }) };
    try {
      // The driver may send the next command of a cursor to another server. A reply ends at 16 MiB.
      const command = { ...find, singleBatch: true, readConcern };
      const { cursor } = await db.command(command);
      return { documents: cursor.firstBatch, asOf: cursor.atClusterTime };
    } catch (error) {
      const isTooOld = error instanceof MongoServerError && TOO_OLD.has(String(error.codeName));
      if (!isTooOld) throw error;
      const message = 'The snapshot of this answer has expired; try again.';
      throw new ApiError('SERVICE_UNAVAILABLE', { message, cause: error });
    }
  };
}
