import { importPortions } from '@waymark/data-transfer';
import { workspaceScans } from '@waymark/service-kit/http';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';

export async function startWorkflows(env: Record<string, string | undefined>, seams?: Seams) {
  const runtime = openService(schema, readConfig(env), seams);
  const store = openStore(runtime.database);
  const storePortion = importPortions(runtime);
  const scan = workspaceScans(runtime.metrics);
  return runtime.serve(createRoutes({ ...runtime, store, storePortion, scan }));
}
