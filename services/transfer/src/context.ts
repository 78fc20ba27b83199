import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { ImportStore } from './store/index.ts';

export interface TransferContext
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'isRepeat' | 'now' | 'log'> {
  store: ImportStore;
  workspaces: WorkspacePurge;
  imports: { trigger(): Promise<void> };
  leaseMs: number;
}
