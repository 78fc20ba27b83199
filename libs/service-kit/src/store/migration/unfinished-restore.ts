import type { Db } from 'mongodb';
import { StartupError } from '../../process/environment.ts';

/** The collection that marks a database whose restoration is under way, or ended before its end. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

/** The only document of that collection. */
export interface UnfinishedRestore {
  _id: 'restore';
  /** The place of the backup. */
  backup: string;
  /** The command that drops what is there and restores again. */
  command: string;
  /** Whether the data of all databases are there, so that only the marks remain to be removed. */
  isFilled?: true;
}

export const unfinishedRestores = (db: Db) => db.collection<UnfinishedRestore>(UNFINISHED_RESTORE);

/** Thrown while the data of a database are incomplete, because its restoration did not end. */
export class UnfinishedRestoreError extends StartupError {
  readonly restore: UnfinishedRestore;

  constructor({ databaseName }: Db, restore: UnfinishedRestore) {
    super(
      `${databaseName}: the restore of ${restore.backup} has not finished, and its data are incomplete; if it no longer runs: ${restore.command}`,
    );
    this.restore = restore;
  }
}

/** Throws UnfinishedRestoreError. */
export async function assertRestored(db: Db): Promise<void> {
  const restore = await unfinishedRestores(db).findOne();
  if (restore) throw new UnfinishedRestoreError(db, restore);
}
