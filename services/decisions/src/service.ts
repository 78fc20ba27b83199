import type { Calibration, DecisionFacets } from '@waymark/contracts';
import { importPortions } from '@waymark/data-transfer';
import { keyedQueue } from '@waymark/service-kit/jobs';
import type { RunningService } from '@waymark/service-kit/process';
import type { Seams } from '@waymark/service-kit/runtime';
import { openService } from '@waymark/service-kit/service';
import { readConfig } from './config.ts';
import type { DecisionsContext } from './context.ts';
import { sharedCounts } from './metrics/shared-counts.ts';
import { decisionRoutes } from './routes.ts';
import { schema } from './schema.ts';
import { decisionStore } from './store/index.ts';
import type { MetricsCounts } from './store/metrics-counts.ts';

export async function startDecisions(
  env: Record<string, string | undefined>,
  seams?: Seams,
): Promise<RunningService> {
  const config = readConfig(env);
  const runtime = openService(schema, config, { seams });
  const { call, commit, commitGrouped, now, database, cursors } = runtime;
  const store = decisionStore(database, cursors);
  const counts = sharedCounts<MetricsCounts>();
  const facets = sharedCounts<DecisionFacets>();
  const calibrations = sharedCounts<Calibration>();
  const scans = keyedQueue();
  const storePortion = importPortions(runtime);
  const { publicUrl } = config;
  const service: DecisionsContext = {
    call,
    commit,
    commitGrouped,
    now,
    store,
    storePortion,
    counts,
    facets,
    calibrations,
    scans,
    publicUrl,
  };
  return runtime.serve(decisionRoutes(service, database));
}
