import type { Database } from '@waymark/service-kit/store';

export const BACKUPS = 'backups';
const NEWEST = 'newest';

/**
 * The times of the content of the newest backup, and of the newest one that was verified, and the time up to
 * which the changes since are kept; ISO 8601.
 */
interface BackupTimes {
  taken?: string;
  verified?: string;
  oplog?: string;
}
export type BackupState = keyof BackupTimes;

/** The times of backups by the command line, for the service's metrics. No backup contains them. */
export function backupTimes(database: Pick<Database, 'collection'>) {
  const backups = database.collection<BackupTimes & { _id: string }>(BACKUPS);
  return {
    async record(state: BackupState, time: string): Promise<void> {
      await backups.updateOne({ _id: NEWEST }, { $max: { [state]: time } }, { upsert: true });
    },
    async read(): Promise<BackupTimes> {
      return (await backups.findOne({ _id: NEWEST }, { projection: { _id: 0 } })) ?? {};
    },
  };
}

export type BackupTimesStore = ReturnType<typeof backupTimes>;
