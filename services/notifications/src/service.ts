import { periodicTask } from '@waymark/service-kit/jobs';
import { failureLog } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { workspacePurge } from '@waymark/service-kit/store';
import { announcer } from './announce.ts';
import { readConfig } from './config.ts';
import { tellDue } from './due/tell-due.ts';
import { eventHandler, handledTypes } from './events/handle-event.ts';
import { notificationRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { ownedCollections } from './store/collections.ts';
import { notificationStore } from './store/index.ts';

/** The seams of this service, in addition to those of every service. */
interface NotificationSeams extends Seams {
  /** How often it looks for dates that have come. */
  dueMs?: number;
}

const DUE_MS = 30_000;

export async function startNotifications(
  env: Record<string, string | undefined>,
  seams: NotificationSeams = {},
) {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { call, cursors, database, log, now } = runtime;
  const store = notificationStore(database, cursors);
  const service = { call, now, store, announce: announcer(runtime) };
  const purge = workspacePurge(database, ownedCollections);
  runtime.consume({ name: 'notifications', types: handledTypes, handle: eventHandler(service, purge) });
  const dates = periodicTask({
    everyMs: seams.dueMs ?? DUE_MS,
    run: tellDue(service, purge),
    ...failureLog(log, 'dates that have come not told; tried again later'),
  });
  if (config.mongodbUrl) {
    runtime.onStop(dates.stop);
    database.ready.then(dates.start, () => undefined);
  }
  return runtime.serve(notificationRoutes(service, purge.purge));
}
