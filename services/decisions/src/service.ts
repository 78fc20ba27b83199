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
import type { ListFilters } from './store/list-query.ts';

type FacetsKey = [workspaceId: string, filters: ListFilters];

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { call, commit, now, database, cursors } = runtime;
  const store = decisionStore(database, cursors);
  const counts = createCountsCache((id) => store.countForMetrics(id, new Date(now()).toISOString()), now);
  const facets = createCountsCache(async (key) => {
    const [workspaceId, filters] = JSON.parse(key) as FacetsKey;
    return store.countFacets(workspaceId, filters, new Date(now()).toISOString());
  }, now);
  const storePortion = importPortions(runtime);
  const { publicUrl } = config;
  const service: DecisionsContext = { call, commit, now, store, storePortion, counts, facets, publicUrl };
  return runtime.serve(decisionRoutes(service, database));
}
