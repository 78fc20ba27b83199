import { importPortions } from '@waymark/data-transfer';
import { exportPages, workspaceScans } from '@waymark/service-kit/http';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import type { DecisionsContext } from './context.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';

export async function startDecisions(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const service: DecisionsContext = {
    ...runtime,
    store: openStore(runtime.database),
    storePortion: importPortions(runtime),
    scan: workspaceScans(runtime.metrics),
    limitPages: exportPages(runtime.metrics),
    publicUrl: config.publicUrl,
  };
  return runtime.serve(createRoutes(service));
}
