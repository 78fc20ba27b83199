import { type Database, erasePerson } from '@waymark/service-kit/store';
import { type BackupState, backupTimes } from './store/backups.ts';
import { JOBS } from './store/index.ts';

export { workspaceText } from './export/export-workspace.ts';

/** Removes a person's name from their imports. Returns how many imports it changed; a repeat changes none. */
export const erasePersonFromTransfer = (database: Database, userId: string) =>
  erasePerson(database, userId, { [JOBS]: ['created_by'] });

/** Records the time of a backup's content, once it is complete or verified, for the metric and its alert. */
export const recordBackup = (database: Database, state: BackupState, time: string) =>
  backupTimes(database).record(state, time);

/** The time of the content of the newest recorded backup; null when none was recorded. */
export const newestBackupAt = async (database: Database) =>
  (await backupTimes(database).read()).taken ?? null;
