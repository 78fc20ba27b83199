import type { Database, Stored } from '@waymark/service-kit/store';
import { type BackupState, backupTimes } from './store/backups.ts';
import { type ImportRecord, JOBS } from './store/index.ts';

export { workspaceText } from './export/export-workspace.ts';

/** Removes a person's name from their imports. Returns how many imports it changed; a repeat changes none. */
export async function erasePersonFromTransfer(database: Database, userId: string): Promise<number> {
  const jobs = database.collection<Stored<ImportRecord>>(JOBS);
  const named = { 'created_by.id': userId, 'created_by.name': { $ne: null } };
  return (await jobs.updateMany(named, { $set: { 'created_by.name': null } })).modifiedCount;
}

/** Records the time of a backup's content, once it is complete or verified, for the metric and its alert. */
export const recordBackup = (database: Database, state: BackupState, time: string) =>
  backupTimes(database).record(state, time);

/** The time of the content of the newest recorded backup; null when none was recorded. */
export const newestBackupAt = async (database: Database) =>
  (await backupTimes(database).read()).taken ?? null;
