import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@waymark/contracts';
import { type ClientSession, type MongoClient, MongoError, type ReadConcernLike } from 'mongodb';
import { isOutOfTime, isWriteConflict } from './database.ts';

export interface TransactionOptions {
  /** No attempt begins later than this; 6 s by default, where the driver would repeat for two minutes. */
  timeoutMs?: number;
  /** By `performance.now()`; for work that has already waited in a queue. */
  startedAtMs?: number;
  readConcern?: ReadConcernLike;
}

/** Grows to about as long as a transaction holds a document that others want as well. */
const PAUSE_MS = { first: 8, growth: 1.5, most: 50 };

/**
 * Runs `work` in a transaction, and again after a write conflict or another transient error; all of it is
 * kept, or nothing. Work that calls `session.abortTransaction()` keeps nothing and still returns its result.
 * Throws what `work` throws otherwise, and SERVICE_UNAVAILABLE after `timeoutMs`; its `cause` is the last
 * error.
 */
export function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  { timeoutMs = 6_000, startedAtMs = performance.now(), readConcern }: TransactionOptions = {},
): Promise<T> {
  const isLate = () => performance.now() - startedAtMs > timeoutMs;
  return client.withSession(async (session) => {
    let lastError: unknown;
    for (let tries = 0; ; tries += 1) {
      if (isLate()) throw new ApiError('SERVICE_UNAVAILABLE', { cause: lastError });
      try {
        session.startTransaction(readConcern && { readConcern });
        const result = await workOrAbort(session, work);
        if (session.inTransaction()) await commit(session, isLate);
        return result;
      } catch (error) {
        if (!isTransient(error)) throw error;
        lastError = error;
      }
      await pause(tries);
    }
  });
}

async function workOrAbort<T>(session: ClientSession, work: (session: ClientSession) => Promise<T>) {
  try {
    return await work(session);
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
}

/** Repeats the commit while its result is unknown, which is safe; the work must not be repeated then. */
async function commit(session: ClientSession, isLate: () => boolean): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!isUnknownCommit(error) || isOutOfTime(error)) throw error;
      if (isLate()) throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
    }
    await pause(tries);
  }
}

/**
 * Short and capped: the driver pauses for up to half a second, so that of two processes that write one
 * document all the time, the one that waits longer comes too late each time.
 */
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
