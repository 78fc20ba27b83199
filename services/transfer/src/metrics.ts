import type { Metrics } from '@waymark/service-kit/process';
import type { BackupTimesStore } from './store/backups.ts';

export function addTransferMetrics({ watchAll }: Metrics, backups: Pick<BackupTimesStore, 'read'>): void {
  watchAll(
    'waymark_backup_timestamp_seconds',
    'Time of the content of the newest backup that was taken, and of the newest that was verified, and the time up to which the changes since (oplog) are kept; absent before the first, and while MongoDB is down',
    'state',
    async () => {
      const times = Object.entries<string>({ ...(await backups.read()) });
      return Object.fromEntries(times.map(([state, time]) => [state, Date.parse(time) / 1_000]));
    },
  );
}
