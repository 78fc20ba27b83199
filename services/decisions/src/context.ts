import type { Calibration, DecisionFacets } from '@waymark/contracts';
import type { StorePortion } from '@waymark/data-transfer';
import type { keyedQueue } from '@waymark/service-kit/jobs';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { SharedCounts } from './metrics/shared-counts.ts';
import type { DecisionStore } from './store/index.ts';
import type { MetricsCounts } from './store/metrics-counts.ts';

/** The dependencies of the service's operations. */
export interface DecisionsContext extends Pick<ServiceRuntime, 'call' | 'commit' | 'commitGrouped' | 'now'> {
  store: DecisionStore;
  storePortion: StorePortion;
  counts: SharedCounts<MetricsCounts>;
  facets: SharedCounts<DecisionFacets>;
  calibrations: SharedCounts<Calibration>;
  /** Runs scans of one workspace one by one, so that they slow no other workspace. */
  scans: ReturnType<typeof keyedQueue>;
  publicUrl: string;
}
