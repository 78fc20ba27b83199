import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { workflowRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { workflowsStore } from './store/index.ts';

export async function startWorkflows(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const runtime = openService(schema, readConfig(env), { seams });
  const store = workflowsStore(runtime.database, runtime.cursors);
  return runtime.serve(workflowRoutes(runtime, store));
}
