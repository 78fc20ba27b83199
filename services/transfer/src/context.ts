import type { LimitPages } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { ImportStore } from './store/index.ts';

export interface TransferContext
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'isRepeat' | 'now' | 'log' | 'workspaces'> {
  store: ImportStore;
  imports: { trigger(): Promise<void> };
  leaseMs: number;
  limitPages: LimitPages;
}
