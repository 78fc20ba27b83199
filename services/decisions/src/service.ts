import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService, type ServiceRuntime } from '@waymark/service-kit/service';
import { calendarFeeds } from './calendar/calendar-feeds.ts';
import { readConfig } from './config.ts';
import { decisionRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { calendarFeedStore } from './store/calendar-feeds.ts';
import { decisionStore } from './store/index.ts';
import { finishRecounts } from './store/recount.ts';
import { tallyStore } from './store/tallies.ts';

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { database, log } = runtime;
  const tallies = tallyStore(database.db, (error) => log.warn({ err: error }, 'tallies not folded; later'));
  const store = decisionStore(database, runtime.cursors, tallies);
  const feeds = calendarFeedStore(database);
  const calendar = calendarFeeds({ runtime, store, feeds, publicUrl: config.publicUrl });
  if (config.mongodbUrl) finishRecountsLater(runtime);
  runtime.onStop(tallies.close);
  return runtime.serve(decisionRoutes(runtime, store, tallies, calendar));
}

/** After an upgrade, when the processes of a version without tallies are gone for certain. */
const UPGRADE_OVER_MS = 900_000;

function finishRecountsLater({ database, log, onStop }: ServiceRuntime): void {
  let finishing: Promise<void> | undefined;
  let isStopped = false;
  const timer = setTimeout(() => {
    finishing = database.ready
      .then(() => finishRecounts(database.db, () => isStopped))
      .catch((error) => log.warn({ err: error }, 'not every workspace recounted; the next start goes on'));
  }, UPGRADE_OVER_MS);
  timer.unref();
  onStop(async () => {
    isStopped = true;
    clearTimeout(timer);
    await finishing;
  });
}
