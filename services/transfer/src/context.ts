import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { ImportRunner } from './import/run-imports.ts';
import type { ImportStore } from './store/index.ts';

export interface TransferContext extends Pick<ServiceRuntime, 'call' | 'commit' | 'now' | 'log'> {
  store: ImportStore;
  workspaces: WorkspacePurge;
  imports: Pick<ImportRunner, 'trigger'>;
  /** How long an import or an upload stays claimed by a process that no longer renews the claim. */
  leaseMs: number;
}
