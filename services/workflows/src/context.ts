import type { StorePortion } from '@waymark/data-transfer';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { Transaction } from '@waymark/service-kit/store';
import type { Store } from './store/index.ts';

export interface WorkflowsContext
  extends Pick<ServiceRuntime, 'commit' | 'commitBatch' | 'database' | 'now'> {
  store: Store;
  storePortion: StorePortion;
  /** The transaction of a batch, which has nodes and edges that others cannot see yet. */
  session?: Transaction['session'];
}
