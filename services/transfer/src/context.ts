import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { ImportStore } from './store/index.ts';

/** The dependencies of this service's operations. */
export interface TransferContext extends Pick<ServiceRuntime, 'call' | 'commit' | 'now' | 'log'> {
  store: ImportStore;
  workspaces: WorkspacePurge;
  /** Starts queued imports immediately. */
  imports: { trigger(): Promise<void> };
  /** How long an import or an upload stays claimed by a process that no longer renews the claim. */
  leaseMs: number;
}
