import type { Admission } from '@waymark/service-kit/jobs';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { ImportStore } from './store/index.ts';

export interface TransferContext
  extends Pick<ServiceRuntime, 'call' | 'commit' | 'isRepeat' | 'now' | 'log' | 'workspaces'> {
  store: ImportStore;
  imports: { trigger(): Promise<void> };
  leaseMs: number;
  /** Shares the reading of pages, so that many exports slow no other request. */
  pages: Admission;
}
