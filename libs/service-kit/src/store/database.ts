import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type CursorCodec, cursorCodec } from '@waymark/contracts';
import {
  ClientSession,
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import '../patches/end-mongodb-writes.ts';
import { periodicTask } from '../jobs/periodic-task.ts';
import { EnvironmentError } from '../process/environment.ts';
import type { Logger } from '../process/logger.ts';
import type { PeerClock } from '../process/peer-clock.ts';

export type { Db } from 'mongodb';

/** A record as MongoDB stores it: `_id` in place of `id`. */
export type Stored<T extends { id: string }> = Omit<T, 'id'> & { _id: string };

/** Converts a record to its document. */
export function toDocument<T extends { id: string }>({ id, ...rest }: T): Stored<T> {
  return { _id: id, ...rest } as Stored<T>;
}

/** Converts a document to its record. `defaults` (`defaultsOf`) are for fields newer than the document. */
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

export type Database = ReturnType<typeof openDatabase>;

const RETRY_MS = 500;
const CLOCK_MS = 5_000;
const POOL_CHECK_MS = 5_000;
const CONNECTIONS_AT_START = 8;
/** The driver's types of servers that accept writes. */
const WRITABLE = new Set(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);

/** The clients of this process by URL. Services that share a process share connections and monitors. */
const clients = new Map<string, ReturnType<typeof openClient>>();

/** Throws EnvironmentError for a URL that the driver cannot read. */
function createClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    const { message } = error as Error;
    // A message with the URL would show the password.
    const reason = message.includes(url) ? 'is not a URL of MongoDB' : message;
    const hint = 'credentials before the host, as user:password@, are percent-encoded';
    throw new EnvironmentError(`MONGODB_URL: ${reason}; ${hint}`);
  }
}

function openClient(url: string, log: Logger) {
  const client = createClient(url, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
    // Below the 10 s of a request. It counts, too, while the event loop of a busy process stands still.
    waitQueueTimeoutMS: 8_000,
    minPoolSize: CONNECTIONS_AT_START,
    maxPoolSize: 64,
    // The default is two: a burst of requests to a new process would wait for connections.
    maxConnecting: 8,
    // The names that a URL uses: its `w` or `readConcernLevel` would win over objects.
    readConcernLevel: 'majority',
    readPreference: 'primary',
    w: 'majority',
    journal: true,
    ignoreUndefined: true,
  });
  // The default of 100 ms wakes an idle process. The driver has the option and does not accept it above.
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS });
  let isUp = false;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const servers = [...newDescription.servers.values()];
    isUp = servers.some(({ type }) => WRITABLE.has(type));
  });
  const clocks = new Set<PeerClock>();
  const clockReader = periodicTask({
    everyMs: CLOCK_MS,
    run: () => readClock(client.db('admin'), clocks),
    onError: (error) => log.debug({ err: error }, 'the clock of MongoDB was not read; tried again soon'),
  });
  return { client, isUp: () => isUp, users: 0, clocks, clockReader };
}

/** Connects in the background: while MongoDB is down, requests fail and the process keeps running. */
export function openDatabase(options: {
  url: string;
  name: string;
  /** Prepares the database or checks it; retried as long as MongoDB is down. */
  prepare: (db: Db) => Promise<void>;
  /** Signs the cursors of lists. The default is a random secret, for commands, which return no cursor. */
  cursors?: CursorCodec;
  /** Follows the time of the server that accepts writes, once the database is prepared. */
  clock?: PeerClock | undefined;
  log: Logger;
}) {
  const shared = clients.get(options.url) ?? openClient(options.url, options.log);
  clients.set(options.url, shared);
  shared.users += 1;
  const { client, isUp, clocks, clockReader } = shared;
  const db = client.db(options.name);
  let open = true;
  let isReady = false;
  /** Why the first attempt failed, if MongoDB was away. */
  let away: unknown;
  const { promise: tried, resolve: firstAttemptEnded } = Promise.withResolvers<void>();

  async function prepare(): Promise<void> {
    for (let tries = 0; open; tries += 1) {
      try {
        // The driver connects by itself only once: after a failure its topology stays closed.
        if (tries > 0) await client.connect();
        await options.prepare(db);
        if (options.clock) {
          await readClock(db, [options.clock]);
          if (open) clocks.add(options.clock);
          clockReader.start();
        }
        isReady = true;
        return;
      } catch (error) {
        if (!open) return;
        if (!isUnavailable(error)) throw error;
        options.log.warn({ err: error }, 'MongoDB is away');
        away = error;
        firstAttemptEnded();
        await delay(RETRY_MS);
      }
    }
  }

  const ready = prepare().finally(firstAttemptEnded);
  return {
    client,
    db,
    cursors: options.cursors ?? cursorCodec(randomUUID()),
    collection: <T extends Document>(name: string) => counted(db.collection<T>(name)),
    /** Returns a collection for writes that only lock: a refused operation of a batch may leave them. */
    locks: <T extends Document>(name: string) => db.collection<T>(name),
    /** Resolves when the database is prepared; earlier requests are answered with 503. */
    ready,
    /** `ready` for a command: throws why the first attempt failed, instead of waiting for a MongoDB. */
    async readyAtOnce(): Promise<void> {
      await tried;
      if (away !== undefined) throw away;
      await ready;
    },
    /** Resolves when the database is ready, or when the first attempt has failed. */
    tried,
    isReady: () => isReady,
    /** Reports whether a server accepted writes at the driver's last heartbeat. */
    isUp,
    async close() {
      if (!open) return;
      open = false;
      shared.users -= 1;
      if (options.clock) clocks.delete(options.clock);
      if (shared.users > 0) return;
      clients.delete(options.url);
      await clockReader.stop();
      await client.close();
    },
  };
}

const WRITES = [
  ...([
    'insertOne',
    'insertMany',
    'updateOne',
    'updateMany',
    'replaceOne',
    'deleteOne',
    'deleteMany',
  ] as const),
  ...(['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'bulkWrite'] as const),
];
const writes = new WeakMap<ClientSession, number>();

/** Returns how many writes the transactions of a session have begun, without those that only lock. */
export const countWrites = (session: ClientSession): number => writes.get(session) ?? 0;

function counted<T extends Document>(collection: Collection<T>): Collection<T> {
  const methods = collection as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of WRITES) {
    const write = methods[name]!.bind(collection);
    methods[name] = (...args) => {
      const { session } = (args.at(-1) ?? {}) as { session?: unknown };
      if (session instanceof ClientSession) writes.set(session, countWrites(session) + 1);
      return write(...args);
    };
  }
  return collection;
}

/** Opens connections in advance, so that the first requests do not wait for them. */
export async function openConnections(db: Db): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS_AT_START }, () => db.command({ ping: 1 })));
}

/** Observes the time of the server that accepts writes. */
export async function readClock(db: Db, clocks: Iterable<PeerClock>): Promise<void> {
  const sentTicksMs = performance.now();
  const { localTime } = await db.command({ hello: 1 });
  const earliestMs = (localTime as Date).getTime();
  for (const clock of clocks) clock.observe({ sentTicksMs, earliestMs });
}

/** Names of driver errors that share a class; network errors have their own class. */
const UNAVAILABLE_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoServerClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoOperationTimeoutError',
  // The chosen server became unavailable before it received the command or before it answered.
  'MongoUnexpectedServerResponseError',
  'MongoStalePrimaryError',
]);
const UNAVAILABLE_LABELS = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
];
/** Error codes of the server, by its own categories (src/mongo/base/error_codes.yml). */
const UNAVAILABLE_CODES = new Set([
  ...[6, 7, 89, 9001], // network
  ...[10058, 10107, 13435, 13436, 11602, 189], // not primary
  ...[91, 11600, 11601], // shutdown and interruption
  ...[50, 64, 262, 24, 46], // timeouts of an operation, a write concern, a lock
  ...[134, 188, 246], // no majority or no snapshot to read from yet
  ...[251, 290], // a transaction that ended by a restart or its age
  ...[43, 237], // a cursor that ended by a restart or a shutdown
  211, // a new server has not read the keys that sign cluster times
]);
/** Access that a server refuses: Unauthorized, AuthenticationFailed, and AtlasError, as Atlas calls both. */
const REFUSED_CODES = new Set([13, 18, 8000]);
/** Error codes of the system: the driver rethrows a socket's error when the socket breaks during a write. */
const BROKEN_SOCKET_CODES = new Set<unknown>([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);

/** The look-ups of DNS for mongodb+srv; the names of single servers fail as connections. */
const LOOK_UPS = new Set<unknown>(['querySrv', 'queryTxt']);

/** Reports whether an error, or its cause, means that MongoDB is unavailable for now. */
export function isUnavailable(error: unknown): boolean {
  // The error of a bulk write has the code of the system error that it wraps.
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  if (BROKEN_SOCKET_CODES.has(code) || LOOK_UPS.has(syscall)) return true;
  if (error instanceof MongoServerError && UNAVAILABLE_CODES.has(Number(error.code))) return true;
  // A bulk write wraps the error of a broken connection without its name; no server gave it a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true;
  if (error instanceof ApiError) return isUnavailable(error.cause);
  if (error instanceof MongoNetworkError) return true;
  if (!(error instanceof MongoError)) return false;
  return UNAVAILABLE_NAMES.has(error.name) || UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label));
}

/** Reports whether an error says that MongoDB refuses the credentials of a URL, or what they may not do. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError && REFUSED_CODES.has(Number(error.code));
}

/** Reports whether an error says that a unique index already has this value. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

/** Reports whether an error says that an operation took longer than its `maxTimeMS`. */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 50;
}

/** Reports whether an error, or its cause, says that another transaction is writing the same document. */
export function isWriteConflict(error: unknown): boolean {
  if (error instanceof ApiError) return isWriteConflict(error.cause);
  return error instanceof MongoServerError && error.code === 112;
}

/** Reports whether one member of a group may have caused an error, so that the others are worth a retry. */
export function isFaultOfOne(error: unknown): boolean {
  return isWriteConflict(error) || !isUnavailable(error);
}
