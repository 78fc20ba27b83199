import type { Calibration, DecisionFacets } from '@waymark/contracts';
import { importPortions } from '@waymark/data-transfer';
import { exportPages, workspaceScans } from '@waymark/service-kit/http';
import { sharedRuns } from '@waymark/service-kit/jobs';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import type { DecisionsContext } from './context.ts';
import { createRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { openStore } from './store/index.ts';
import type { MetricsCounts } from './store/metrics-counts.ts';

export async function startDecisions(env: Record<string, string | undefined>, seams?: Seams) {
  const config = readConfig(env);
  const runtime = openService(schema, config, seams);
  const service: DecisionsContext = {
    ...runtime,
    store: openStore(runtime.database),
    storePortion: importPortions(runtime),
    counts: sharedRuns<MetricsCounts>(),
    facets: sharedRuns<DecisionFacets>(),
    calibrations: sharedRuns<Calibration>(),
    scan: workspaceScans(runtime.metrics),
    limitPages: exportPages(runtime.metrics),
    publicUrl: config.publicUrl,
  };
  return runtime.serve(createRoutes(service));
}
