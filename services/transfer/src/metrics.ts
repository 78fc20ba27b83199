import type { Metrics } from '@waymark/service-kit/process';
import { Gauge } from 'prom-client';
import type { BackupTimesStore } from './store/backups.ts';

export function createTransferMetrics({ registry }: Metrics, backups: Pick<BackupTimesStore, 'read'>): void {
  new Gauge({
    name: 'waymark_backup_timestamp_seconds',
    help: 'Time of the content of the newest backup that was taken, and of the newest that was verified, and the time up to which the changes since (oplog) are kept; absent before the first, and while MongoDB is down',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const times = await backups.read().catch(() => ({}));
      for (const [state, time] of Object.entries(times)) this.set({ state }, Date.parse(time) / 1_000);
    },
  });
}
