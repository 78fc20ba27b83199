import type { Calibration, DecisionFacets } from '@waymark/contracts';
import type { StorePortion } from '@waymark/data-transfer';
import type { LimitPages, WorkspaceScans } from '@waymark/service-kit/http';
import type { SharedRuns } from '@waymark/service-kit/jobs';
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
  scan: WorkspaceScans;
  limitPages: LimitPages;
  publicUrl: string;
}
