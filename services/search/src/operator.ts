import { eventStream } from '@waymark/contracts';
import { waitAtMost } from '@waymark/service-kit/jobs';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { type Rebuilt, rebuildProjection } from './rebuild.ts';
import { revisionCache } from './revision-cache.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';

/** How long a rebuild waits for NATS. Without announcements, replicas notice it within a second. */
const CONNECT_LIMIT_MS = 2_000;

/**
 * Rebuilds the projection from the data services, beside running replicas and in their environment, and
 * yields each kind when it is done. Safe to interrupt and to repeat. Throws EnvironmentError,
 * PendingMigrationsError, and SERVICE_UNAVAILABLE when a data service does not answer.
 */
export async function* rebuildSearch(env: Record<string, string | undefined>): AsyncGenerator<Rebuilt> {
  const config = readConfig(env);
  const runtime = openService(schema, config);
  try {
    await runtime.database.readyAtOnce();
    const { database, nats, now } = runtime;
    await waitAtMost(new Promise<void>((resolve) => nats.onConnect(() => resolve())), CONNECT_LIMIT_MS);
    const stored = openStore(database, now);
    const subject = eventStream(config.natsPrefix).searchStates;
    const store = revisionCache({ nats, subject, read: stored.state, now }).announcing(stored);
    yield* rebuildProjection(store, runtime.call);
  } finally {
    await runtime.close();
    await runtime.database.close();
  }
}
