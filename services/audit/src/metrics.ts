import { chainFaults } from '@waymark/contracts';
import type { Metrics } from '@waymark/service-kit/process';
import { Gauge } from 'prom-client';
import type { AuditStore } from './store/index.ts';

export function createAuditMetrics({ registry }: Metrics, store: Pick<AuditStore, 'countStopped'>): void {
  new Gauge({
    name: 'waymark_audit_stopped_chains',
    help: 'Audit chains that accept no entries until an operator resumes them, by reason; absent while MongoDB is down',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const counts = await store.countStopped().catch(() => null);
      if (!counts) return this.reset();
      for (const reason of chainFaults) this.set({ reason }, counts.get(reason) ?? 0);
    },
  });
}
