import { openService, type RunningService, type Seams } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { decisionRoutes } from './routes.ts';
import { decisionIndexes } from './store/collections.ts';
import { decisionStore } from './store.ts';

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService('decisions', readConfig(env), { indexes: decisionIndexes, seams });
  const store = decisionStore(runtime.database, runtime.cursors);
  return runtime.serve(decisionRoutes(runtime, store));
}
