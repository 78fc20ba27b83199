import { openService, type RunningService, type Seams } from '@waymark/service-kit';
import { readConfig } from './config.ts';
import { workflowRoutes } from './routes.ts';
import { indexes, workflowsStore } from './store.ts';

export async function startWorkflows(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService('workflows', readConfig(env), { indexes, seams });
  const store = workflowsStore(runtime.database, runtime.cursors);
  return runtime.serve(workflowRoutes(runtime, store));
}
