export { changesBetween } from './changes.ts';
export type { Commit } from './commit.ts';
export {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  isFaultOfOne,
  isOutOfTime,
  isUnavailable,
  isWriteConflict,
  openDatabase,
  type Stored,
  toDocument,
} from './database.ts';
export { inTransaction, type TransactionOptions } from './in-transaction.ts';
export { jsonList, jsonRows, type RowOptions } from './json-rows.ts';
export { after, type KeysetPage, keysetPage, type PageRequest, type Sort } from './keyset-page.ts';
export {
  acquireLease,
  type Lease,
  leaseFree,
  leaseHeldBy,
  leaseReleased,
  leaseRunning,
  leaseTaken,
  releaseLease,
  renewLease,
} from './lease.ts';
export {
  assertMigrated,
  LOCK,
  MIGRATIONS,
  type MigrateOptions,
  migrate,
  PendingMigrationsError,
  pendingMigrations,
} from './migration/migrate.ts';
export { indexesOf, type MigrationStep, type Schema, shardKeys } from './migration/schema.ts';
export { removeInRounds } from './remove-in-rounds.ts';
export { type CommitContext, serviceContext } from './service-context.ts';
export { snapshotFind } from './snapshot-find.ts';
export type { Additions, Transaction } from './transaction.ts';
export { type WorkspacePurge, workspacePurge } from './workspace-purge.ts';
