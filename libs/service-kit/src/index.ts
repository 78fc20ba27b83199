export { type AdminServer, startAdminServer } from './admin-server.ts';
export { matches } from './answer.ts';
export { authorizeRecord } from './authorize-record.ts';
export { type BackupSources, backUp, restore } from './backup.ts';
export { changesBetween } from './changes.ts';
export { clientNetwork } from './client-network.ts';
export type { Commit } from './commit.ts';
export {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  isOutOfTime,
  isUnavailable,
  isWriteConflict,
  openDatabase,
  type Stored,
  toDocument,
} from './database.ts';
export { derivedId } from './derived-id.ts';
export * from './environment.ts';
export { eventBatches } from './event-batches.ts';
export type { ConsumerOptions } from './event-consumer.ts';
export { type EventFollower, followEvents } from './event-follower.ts';
export { type ExportPage, firstRows, readExportPage } from './export-page.ts';
export { toApiError } from './failure.ts';
export { type FreshCache, freshCache, type Loaded } from './fresh-cache.ts';
export { groupCommit } from './group-commit.ts';
export type { Call, Handler, Handlers, StreamedBody } from './handlers.ts';
export { IDENTITY_TOKEN_SECONDS, type IdentityTokens, identityTokens } from './identity-token.ts';
export * from './imports.ts';
export type { CallInternal } from './internal-client.ts';
export type { Invalidations, Tags } from './invalidations.ts';
export { JsonParts } from './json-parts.ts';
export { jsonList } from './json-rows.ts';
export { type KeysetPage, keysetPage, type PageRequest, type Sort } from './keyset-page.ts';
export { createLogger, type Logger } from './logger.ts';
export type { Metrics } from './metrics.ts';
export {
  assertMigrated,
  type MigrateOptions,
  migrate,
  PendingMigrationsError,
  pendingMigrations,
} from './migrate.ts';
export type { Nats } from './nats.ts';
export { type NatsServers, natsServersOf } from './nats-servers.ts';
export { OUTBOX, type OutboxNote } from './outbox.ts';
export { openParkedEvents, type ParkedEvent, type ParkedEvents } from './parked-events.ts';
export { parseJson } from './read-body.ts';
export { releaseReads, releaseWhenSent } from './release.ts';
export { removeInRounds } from './remove-in-rounds.ts';
export {
  type Access,
  accessIn,
  authorizeIn,
  checkCaller,
  membershipIn,
  type RequestContext,
  type ResolveMembership,
} from './request-context.ts';
export { runMain } from './run-main.ts';
export * from './runtime.ts';
export { indexesOf, type MigrationStep, type Schema, shardKeys } from './schema.ts';
export { serveOperations } from './serve.ts';
export { readServerList, serversVariable } from './server-list.ts';
export { type CommitContext, serviceContext } from './service-context.ts';
export { settledWithin } from './settled-within.ts';
export { type ExportSource, snapshotExport } from './snapshot-export.ts';
export { snapshotFind } from './snapshot-find.ts';
export { requestAttributes, type Span, TRACEPARENT, type Tracing } from './tracing.ts';
export type { Additions, Transaction } from './transaction.ts';
export { validate } from './validate.ts';
export { version } from './version.ts';
export { type WorkspacePurge, workspacePurge } from './workspace-purge.ts';
