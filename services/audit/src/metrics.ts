import { chainFaults } from '@waymark/contracts';
import type { Metrics } from '@waymark/service-kit/process';
import type { AuditStore } from './store/index.ts';

export function addAuditMetrics({ watchAll }: Metrics, store: Pick<AuditStore, 'countStopped'>): void {
  watchAll(
    'waymark_audit_stopped_chains',
    'Audit chains that accept no entries until an operator resumes them, by reason; absent while MongoDB is down',
    'reason',
    async () => {
      const counts = await store.countStopped();
      return Object.fromEntries(chainFaults.map((reason) => [reason, counts.get(reason) ?? 0]));
    },
  );
}
