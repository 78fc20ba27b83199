export { changesBetween, subjectOf } from './changes.ts';
export type { Commit } from './commit.ts';
export { isBefore, POSITIONS } from './consumer-position.ts';
export * from './database.ts';
export { inTransaction, type TransactionOptions } from './in-transaction.ts';
export {
  after,
  containing,
  type KeysetPage,
  type PageRequest,
  type Sort,
  viewPage,
} from './keyset-page.ts';
export * from './lease.ts';
export * from './migration/migrate.ts';
export { LOCK, runnerLock } from './migration/runner-lock.ts';
export { indexesOf, type MigrationStep, type Schema, shardKeys } from './migration/schema.ts';
export * from './migration/unfinished-restore.ts';
export { OUTBOX, type OutboxRow } from './outbox/outbox-row.ts';
export { republishRows } from './outbox/prune.ts';
export { countWaiting, oldestWaiting, WAITING_COUNTED_MAX } from './outbox/waiting-rows.ts';
export * from './record-collection.ts';
export { removeInRounds } from './remove-in-rounds.ts';
export { runBatch } from './run-batch.ts';
export { type CommitContext, serviceContext } from './service-context.ts';
export { snapshotFind } from './snapshot-find.ts';
export type { Additions, Transaction } from './transaction.ts';
export * from './trash.ts';
export { type WorkspacePurge, workspacePurge } from './workspace-purge.ts';
