import { openService, type RunningService, type Seams, workspacePurge } from '@waymark/service-kit';
import { createAppend } from './append.ts';
import { readConfig } from './config.ts';
import { auditRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { auditStore, ownedCollections } from './store.ts';

/** Enough to fill the next transaction while one is under way. */
const EVENTS_AT_ONCE = 500;

export async function startAudit(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const keys = config.auditSigningKeys;
  const runtime = openService(schema, config, { seams });
  const store = auditStore(runtime.database, runtime.cursors);
  const purge = workspacePurge(runtime.database, ownedCollections);
  const handle = createAppend(store, keys, purge);
  runtime.consume({ name: 'audit', handle, concurrency: EVENTS_AT_ONCE });
  return runtime.serve(auditRoutes(runtime, store, keys, purge));
}
