import { importPortions } from '@waymark/data-transfer';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import type { DecisionsContext } from './context.ts';
import { createCountsCache } from './metrics/counts-cache.ts';
import { decisionRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { decisionStore } from './store/index.ts';

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { call, commit, now, database, cursors } = runtime;
  const store = decisionStore(database, cursors);
  const counts = createCountsCache((id) => store.countForMetrics(id, new Date(now()).toISOString()), now);
  const storePortion = importPortions(runtime);
  const { publicUrl } = config;
  const service: DecisionsContext = { call, commit, now, store, storePortion, counts, publicUrl };
  return runtime.serve(decisionRoutes(service, database));
}
