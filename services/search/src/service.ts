import { eventStream } from '@waymark/contracts';
import { workspaceScans } from '@waymark/service-kit/http';
import { once, type RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { localIndexes } from './index/local-indexes.ts';
import { createProjectEvents } from './project-events.ts';
import { searchedTypes } from './projection/events.ts';
import { revisionCache } from './revision-cache.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { searchMetrics } from './search-metrics.ts';
import { openStore } from './store/index.ts';

/** Enough that the events of a busy workspace fill the next batch while one is written. */
const EVENTS_AT_ONCE = 512;

export async function startSearch(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const { now, log, cursors, workspaces } = runtime;
  const store = openStore(runtime.database, now);
  const subject = eventStream(config.natsPrefix).searchStates;
  const revisions = revisionCache({ nats: runtime.nats, subject, read: store.state, now });
  const indexes = localIndexes({
    store,
    threads: config.indexThreads,
    maxBytes: config.indexMebibytes,
    maxMemoryBytes: config.indexMemoryMebibytes,
    log,
    now,
  });
  const { countAnswer } = searchMetrics(runtime.metrics, indexes);
  const { scanTimeoutMs } = config;
  const scan = workspaceScans(runtime.metrics);
  const handle = createProjectEvents(store, revisions.announce);
  runtime.consume({ name: 'search', types: searchedTypes, handle, concurrency: EVENTS_AT_ONCE });
  const routes = createRoutes({
    store,
    workspaces,
    revisions,
    indexes,
    scan,
    scanTimeoutMs,
    cursors,
    countAnswer,
  });
  const running = await runtime.serve(routes);
  return {
    ...running,
    stop: once(async () => {
      await running.stop();
      await indexes.stop();
    }),
  };
}
