import { openService, type RunningService, type Seams } from '@waymark/service-kit';
import { calendarFeeds } from './calendar-feeds.ts';
import { readConfig } from './config.ts';
import { decisionRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { calendarFeedStore } from './store/calendar-feeds.ts';
import { decisionStore } from './store.ts';

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const store = decisionStore(runtime.database, runtime.cursors);
  const feeds = calendarFeedStore(runtime.database);
  const calendar = calendarFeeds({ runtime, store, feeds, publicUrl: config.publicUrl });
  return runtime.serve(decisionRoutes(runtime, store, calendar));
}
