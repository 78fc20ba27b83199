import { createAdmission } from '@waymark/service-kit/jobs';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import { runImports } from './import/run-imports.ts';
import { addTransferMetrics } from './metrics.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { backupTimes } from './store/backups.ts';
import { openStore } from './store/index.ts';

/** Pages that all exports read at once. */
const PAGES_AT_ONCE = 2;

export async function startTransfer(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const store = openStore(runtime.database);
  addTransferMetrics(runtime.metrics, backupTimes(runtime.database));
  const { importSweepMs: everyMs, importLeaseMs: leaseMs } = config;
  const imports = runImports({ ...runtime, store, leaseMs }, everyMs);
  runtime.onStop(imports.stop);
  const pages = createAdmission({
    ...runtime.metrics.admission('export_pages'),
    what: 'pages of exports',
    total: PAGES_AT_ONCE,
    small: 1,
  });
  const service = { ...runtime, store, imports, leaseMs, pages };
  const running = await runtime.serve(createRoutes(service));
  if (config.mongodbUrl) imports.start();
  return running;
}
