import { ApiError } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

/** No attempt begins later than this; the driver would go on for two minutes. */
export const PATIENCE_MS = 6_000;

/** For many at once, who are then tried one by one. */
export const GROUP_PATIENCE_MS = 500;

class OutOfTime extends Error {}

/**
 * Runs `work` in a transaction, again when it conflicts with another; all of it is kept, or nothing. Throws what the
 * last attempt failed with.
 */
export async function inTransaction<T>(
  database: Database,
  work: (session: ClientSession) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const startedAtMs = performance.now();
  let lastError: unknown;
  const attempt = async (session: ClientSession) => {
    if (performance.now() - startedAtMs > patienceMs) throw new OutOfTime();
    try {
      return await work(session);
    } catch (error) {
      lastError = error;
      throw error;
    }
  };
  try {
    return await database.client.withSession((session) => session.withTransaction(() => attempt(session)));
  } catch (error) {
    throw error instanceof OutOfTime ? (lastError ?? new ApiError('SERVICE_UNAVAILABLE')) : error;
  }
}
