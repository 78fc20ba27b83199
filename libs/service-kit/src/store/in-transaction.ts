import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@waymark/contracts';
import type { ClientSession, MongoClient } from 'mongodb';
import { isWriteConflict } from './database.ts';

/** No attempt begins later than this; the driver would go on for two minutes. */
const ATTEMPTS_TIMEOUT_MS = 6_000;
/** Grows to about as long as a transaction holds a document that others want as well. */
const PAUSE_MS = { first: 8, growth: 1.5, most: 50 };

/** A concurrent transaction is writing the same document. */
class Overtaken extends Error {}

/**
 * Runs `run` in a transaction, again when another one was in the way. The driver would pause longer after each attempt, up to half
 * a second: where two processes write one document all the time, who waits longer comes too late each time. Throws
 * SERVICE_UNAVAILABLE 6 s after `startedAtMs`.
 */
export function inTransaction<T>(
  client: MongoClient,
  run: (session: ClientSession) => Promise<T>,
  startedAtMs = performance.now(),
): Promise<T> {
  const attempt = (session: ClientSession) =>
    session.withTransaction(async () => {
      if (performance.now() - startedAtMs > ATTEMPTS_TIMEOUT_MS) throw new ApiError('SERVICE_UNAVAILABLE');
      try {
        return await run(session);
      } catch (error) {
        throw isWriteConflict(error) ? new Overtaken('overtaken', { cause: error }) : error;
      }
    });
  return client.withSession(async (session) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(session);
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        const { first, growth, most } = PAUSE_MS;
        await delay(Math.random() * Math.min(most, first * growth ** tries));
      }
    }
  });
}
