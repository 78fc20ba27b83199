import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@waymark/contracts';
import { type ClientSession, type MongoClient, MongoError, type ReadConcernLike } from 'mongodb';
import { isDuplicate, isOutOfTime, isWriteConflict } from './database.ts';

export interface TransactionOptions {
  /** For work without a deadline: how long attempts begin. The driver would retry for two minutes. */
  timeoutMs?: number;
  /** Nothing is committed after this time, by `performance.now()`: the caller has stopped waiting. */
  deadlineMs?: number | undefined;
  readConcern?: ReadConcernLike;
  /** How often the work runs again when another process has stored the same unique value meanwhile. */
  duplicates?: number;
}

/** How long an unknown commit is repeated: longer than the election of a new primary, about 12 s. */
const COMMIT_TIMEOUT_MS = 15_000;
/** Grows to about as long as a transaction holds a contended document. */
const PAUSE_MS = { first: 8, growth: 1.5, most: 50 };

/**
 * Runs `work` in a transaction, and again after a transient error. Work that calls
 * `session.abortTransaction()` stores nothing and still returns its result. Throws what `work` throws, and
 * SERVICE_UNAVAILABLE after `timeoutMs` or the deadline, with the last error as its `cause`.
 */
export function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { timeoutMs = 6_000, deadlineMs = Number.POSITIVE_INFINITY, readConcern, duplicates = 0 } = options;
  const isOver = () => performance.now() > deadlineMs;
  const lastStartMs = Number.isFinite(deadlineMs) ? deadlineMs : performance.now() + timeoutMs;
  return client.withSession(async (session) => {
    let lastError: unknown;
    let duplicatesLeft = duplicates;
    for (let tries = 0; ; tries += 1) {
      if (performance.now() > lastStartMs) throw new ApiError('SERVICE_UNAVAILABLE', { cause: lastError });
      try {
        session.startTransaction(readConcern && { readConcern });
        const result = await workOrAbort(session, async () => {
          const done = await work(session);
          if (isOver() && session.inTransaction()) throw new ApiError('SERVICE_UNAVAILABLE');
          return done;
        });
        if (session.inTransaction()) await commit(session, isOver);
        return result;
      } catch (error) {
        if (!isTransient(error) && !(isDuplicate(error) && duplicatesLeft-- > 0)) throw error;
        lastError = error;
      }
      await pause(tries);
    }
  });
}

async function workOrAbort<T>(session: ClientSession, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
}

/** Repeats the commit while its result is unknown, which is safe; repeating the work would not be. */
async function commit(session: ClientSession, isOver: () => boolean): Promise<void> {
  const startedAtMs = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isUnknownCommit(error) || isOutOfTime(error)) throw error;
      if (isOver() || performance.now() - startedAtMs > COMMIT_TIMEOUT_MS)
        throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
    }
    await pause(tries);
  }
}

/** Waits briefly. With the driver's pauses of up to 500 ms, the process that waits longer would starve. */
function pause(tries: number): Promise<void> {
  const { first, growth, most } = PAUSE_MS;
  return delay(Math.random() * Math.min(most, first * growth ** tries));
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof MongoError) || isUnknownCommit(error)) return false;
  return error.hasErrorLabel('TransientTransactionError') || isWriteConflict(error);
}

function isUnknownCommit(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}
