import { ApiError } from '@waymark/contracts';
import {
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import '../patches/end-mongodb-writes.ts';
import type { Logger } from '../process/logger.ts';

export type { Db } from 'mongodb';

/** A record as the code sees it: `id` in place of MongoDB's `_id`. */
export type Stored<T extends { id: string }> = Omit<T, 'id'> & { _id: string };

/** The document of a record. */
export function toDocument<T extends { id: string }>({ id, ...rest }: T): Stored<T> {
  return { _id: id, ...rest } as Stored<T>;
}

/**
 * The record in a document. Fields that the document lacks, because it was stored before they existed, have
 * their value in `defaults`: pass the record's (`defaultsOf`) wherever a whole document is read.
 */
export function fromDocument<T extends { id: string }>(
  document: Stored<T>,
  defaults?: Readonly<Partial<T>>,
): T {
  const record: Record<string, unknown> = { id: document._id };
  // Spreading the rest takes three times as long, and this is most of the work for a large page.
  for (const field in document) if (field !== '_id') record[field] = (document as Document)[field];
  for (const field in defaults) if (record[field] === undefined) record[field] = defaults[field];
  return record as T;
}

export type Indexes = Record<string, IndexDescription[]>;

export interface Database {
  client: MongoClient;
  db: Db;
  collection<T extends Document>(name: string): Collection<T>;
  /** Resolves when the database is prepared; requests before that are answered with 503. */
  ready: Promise<void>;
  /** Resolves when it is ready, or when the first attempt has failed. */
  tried: Promise<void>;
  isReady(): boolean;
  /** Whether a server accepted writes at the driver's last heartbeat. */
  isUp(): boolean;
  close(): Promise<void>;
}

const RETRY_MS = 500;
const CONNECTIONS_AT_START = 8;
/** As the driver calls servers that take writes. */
const WRITABLE = new Set(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);

/** Connects in the background: a store that is away at start makes requests fail, not the process. */
export function openDatabase(options: {
  url: string;
  name: string;
  /** Makes or finds the database ready; tried again for as long as MongoDB is away. */
  prepare: (db: Db) => Promise<void>;
  log: Logger;
}): Database {
  const client = new MongoClient(options.url, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: 5_000,
    minPoolSize: CONNECTIONS_AT_START,
    maxPoolSize: 64,
    // Two by default: a burst of requests to a process that has just started would wait for connections.
    maxConnecting: 8,
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  });
  const db = client.db(options.name);
  let open = true;
  let isReady = false;
  let isUp = false;
  const { promise: tried, resolve: firstAttemptEnded } = Promise.withResolvers<void>();
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const servers = [...newDescription.servers.values()];
    isUp = servers.some(({ type }) => WRITABLE.has(type));
  });

  async function prepare(): Promise<void> {
    for (let tries = 0; open; tries += 1) {
      try {
        // The driver itself connects only once: after a failure its topology stays closed.
        if (tries > 0) await client.connect();
        await options.prepare(db);
        isReady = true;
        return;
      } catch (error) {
        if (!open) return;
        if (!isUnavailable(error)) throw error;
        options.log.warn({ err: error }, 'MongoDB is away');
        firstAttemptEnded();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  return {
    client,
    db,
    collection: (name) => db.collection(name),
    ready: prepare().finally(firstAttemptEnded),
    tried,
    isReady: () => isReady,
    isUp: () => isUp,
    async close() {
      open = false;
      await client.close();
    },
  };
}

/** Opens connections in advance, so that the first requests do not wait for them. */
export async function openConnections(db: Db): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS_AT_START }, () => db.command({ ping: 1 })));
}

/** Names of the driver's errors, besides network errors, which share a class. */
const UNAVAILABLE_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoServerClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoOperationTimeoutError',
  // A server that was chosen and went away before it was asked, or before it had answered.
  'MongoUnexpectedServerResponseError',
  'MongoStalePrimaryError',
]);
/** Codes of the server, by its own categories (src/mongo/base/error_codes.yml). */
const UNAVAILABLE_CODES = new Set([
  ...[6, 7, 89, 9001], // network
  ...[10058, 10107, 13435, 13436, 11602, 189], // not primary
  ...[91, 11600, 11601], // shutdown and interruption
  ...[50, 64, 262, 24, 46], // not in time: an operation, a write concern, a lock
  ...[134, 188, 246], // no majority or no snapshot to read yet
  ...[251, 290], // a transaction that a restart or its age has ended
  ...[43, 237], // a cursor that a restart or a shutdown has ended
  211, // the keys that sign cluster times, not read yet by a server that has just begun
]);
/** Codes of the system: the driver rethrows a socket's own error when it breaks during a write. */
const BROKEN_SOCKET_CODES = new Set<unknown>([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);

/** Whether an error, or its cause, means that MongoDB is away for now, as opposed to a fault of ours. */
export function isUnavailable(error: unknown): boolean {
  // Under a bulk write as well: what wraps it takes over its code.
  if (BROKEN_SOCKET_CODES.has((error as { code?: unknown } | null)?.code)) return true;
  if (error instanceof MongoServerError && UNAVAILABLE_CODES.has(Number(error.code))) return true;
  // A connection that breaks under a bulk write comes wrapped, without its name: no server gave it a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true;
  if (error instanceof ApiError) return isUnavailable(error.cause);
  return (
    error instanceof MongoNetworkError ||
    (error instanceof MongoError &&
      (UNAVAILABLE_NAMES.has(error.name) ||
        error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        error.hasErrorLabel('RetryableWriteError')))
  );
}

/** Whether an error says that a unique index already has this value. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

/** Whether an error says that an operation took longer than its `maxTimeMS`. */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 50;
}

/** Whether an error, or its cause, says that a concurrent transaction is writing the same document. */
export function isWriteConflict(error: unknown): boolean {
  if (error instanceof ApiError) return isWriteConflict(error.cause);
  return error instanceof MongoServerError && error.code === 112;
}

/**
 * Whether an error of a group may be due to one of its members, so that the others are worth another try: a
 * document that a dead process's transaction still locks, or anything but a store that is down.
 */
export function isFaultOfOne(error: unknown): boolean {
  return isWriteConflict(error) || !isUnavailable(error);
}
