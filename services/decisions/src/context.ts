import type { StorePortion } from '@waymark/data-transfer';
import type { LimitPages, WorkspaceScans } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { DecisionStore } from './store/index.ts';

/** The dependencies of the service's operations. */
export interface DecisionsContext
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'commitGrouped' | 'database' | 'now' | 'workspaces'> {
  store: DecisionStore;
  storePortion: StorePortion;
  scan: WorkspaceScans;
  limitPages: LimitPages;
  publicUrl: string;
}
