import { openService } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { type Rebuilt, rebuildProjection } from './rebuild.ts';
import { schema } from './schema.ts';
import { searchStore } from './store.ts';

/**
 * Makes the projection anew from the data services, beside running replicas and in their environment; tells of each kind when it is
 * done. Safe to break off and to repeat. Throws EnvironmentError, PendingMigrationsError, and SERVICE_UNAVAILABLE when a data
 * service does not answer.
 */
export async function* rebuildSearch(env: Record<string, string | undefined>): AsyncGenerator<Rebuilt> {
  const runtime = openService(schema, readConfig(env));
  try {
    await runtime.database.ready;
    yield* rebuildProjection(searchStore(runtime.database, runtime.now), runtime.call);
  } finally {
    await runtime.close();
    await runtime.database.close();
  }
}
