import { exportPages } from '@waymark/service-kit/http';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { runImports } from './import/run-imports.ts';
import { addTransferMetrics } from './metrics.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { backupTimes } from './store/backups.ts';
import { openStore } from './store/index.ts';

export async function startTransfer(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const store = openStore(runtime.database);
  addTransferMetrics(runtime.metrics, backupTimes(runtime.database));
  const { importSweepMs: everyMs, importLeaseMs: leaseMs } = config;
  const imports = runImports({ ...runtime, store, leaseMs }, everyMs);
  runtime.onStop(imports.stop);
  const limitPages = exportPages(runtime.metrics);
  const service = { ...runtime, store, imports, leaseMs, limitPages };
  const running = await runtime.serve(createRoutes(service));
  if (config.mongodbUrl) imports.start();
  return running;
}
