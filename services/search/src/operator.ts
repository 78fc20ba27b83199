import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { type Rebuilt, rebuildProjection } from './rebuild.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';

/**
 * Rebuilds the projection from the data services, beside running replicas and in their environment, and
 * yields each kind when it is done. Replicas use it within a second. Safe to interrupt and to repeat. Throws
 * EnvironmentError, PendingMigrationsError, and SERVICE_UNAVAILABLE when a data service does not answer.
 */
export async function* rebuildSearch(env: Record<string, string | undefined>): AsyncGenerator<Rebuilt> {
  const runtime = openService(schema, readConfig(env));
  try {
    await runtime.database.readyAtOnce();
    yield* rebuildProjection(openStore(runtime.database, runtime.now), runtime.call);
  } finally {
    await runtime.close();
  }
}
