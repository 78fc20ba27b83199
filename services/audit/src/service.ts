import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { createAppend } from './append.ts';
import { readConfig } from './config.ts';
import { retentionSweep } from './retention/retention-sweep.ts';
import { auditRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { ownedCollections } from './store/collections.ts';
import { auditStore } from './store/index.ts';
import { retentionStore } from './store/retention.ts';

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
  const days = config.auditRetentionDays;
  if (days !== undefined && config.mongodbUrl) {
    const { database, now, log } = runtime;
    const sweep = retentionSweep({ store: retentionStore(database), keys, days, now, log });
    runtime.onStop(sweep.stop);
    database.ready.then(sweep.start, () => undefined);
  }
  return runtime.serve(auditRoutes(runtime, store, keys, purge));
}
