import { ApiError } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';

/** No attempt begins later than this; the driver would go on for two minutes. */
const ATTEMPTS_TIMEOUT_MS = 6_000;

/** Runs `work` in a transaction, again when it conflicts with another; all of it is kept, or nothing. */
export function inTransaction<T>(
  database: Database,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const startedAtMs = performance.now();
  return database.client.withSession((session) =>
    session.withTransaction(() => {
      if (performance.now() - startedAtMs > ATTEMPTS_TIMEOUT_MS) throw new ApiError('SERVICE_UNAVAILABLE');
      return work(session);
    }),
  );
}
