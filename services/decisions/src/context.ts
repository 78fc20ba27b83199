import type { Calibration, DecisionFacets } from '@waymark/contracts';
import type { StorePortion } from '@waymark/data-transfer';
import type { keyedQueue, SharedRuns } from '@waymark/service-kit/jobs';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { DecisionStore } from './store/index.ts';
import type { MetricsCounts } from './store/metrics-counts.ts';

/** The dependencies of the service's operations. */
export interface DecisionsContext
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'commitGrouped' | 'database' | 'now' | 'workspaces'> {
  store: DecisionStore;
  storePortion: StorePortion;
  counts: SharedRuns<MetricsCounts>;
  facets: SharedRuns<DecisionFacets>;
  calibrations: SharedRuns<Calibration>;
  /** Runs scans of one workspace one by one, so that they slow no other workspace. */
  scans: ReturnType<typeof keyedQueue>;
  publicUrl: string;
}
