import type { StorePortion } from '@waymark/data-transfer';
import type { WorkspaceScans } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Store } from './store/index.ts';

export interface WorkflowsContext extends Pick<ServiceRuntime, 'commit' | 'database' | 'now' | 'workspaces'> {
  store: Store;
  storePortion: StorePortion;
  scan: WorkspaceScans;
}
