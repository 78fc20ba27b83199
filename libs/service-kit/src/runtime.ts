import http from 'node:http';
import {
  ApiError,
  type CursorCodec,
  cursorCodec,
  eventStream,
  type Membership,
  type ServiceName,
} from '@waymark/contracts';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import { type Commit, createCommit } from './commit.ts';
import { type Database, openConnections, openDatabase } from './database.ts';
import { type BaseConfig, type DatabaseConfig, serviceUrls } from './environment.ts';
import { type ConsumerOptions, consumeEvents, type EventConsumer } from './event-consumer.ts';
import { freshCache } from './fresh-cache.ts';
import type { Handlers } from './handlers.ts';
import { type IdentityTokens, identityTokens } from './identity-token.ts';
import { type CallInternal, internalClient } from './internal-client.ts';
import { type Invalidations, openInvalidations } from './invalidations.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { assertMigrated, migrate, PendingMigrationsError } from './migrate.ts';
import { connectNats, type Nats } from './nats.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { ResolveMembership } from './request-context.ts';
import type { Schema } from './schema.ts';
import { serveOperations } from './serve.ts';
import { openTracing, type Tracing } from './tracing.ts';
import { version } from './version.ts';

/** What a test injects in place of the machine's own. */
export interface Seams {
  now?: () => number;
  log?: Logger;
  /** Called at the points where a crash would hurt most, so that a test can crash there. */
  checkpoint?: (point: Checkpoint) => void;
}

/** After a transaction is committed and before its events are published; after an event is handled and before its ack. */
export type Checkpoint = 'committed' | 'handled';

/** What every process has: logs, metrics, NATS, signed calls to others, fresh look-ups. */
export interface Runtime {
  service: ServiceName;
  config: BaseConfig;
  now: () => number;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  identity: IdentityTokens;
  nats: Nats;
  invalidations: Invalidations;
  call: CallInternal;
  cursors: CursorCodec;
  resolveMembership: ResolveMembership;
  close(): Promise<void>;
}

const MEMBERSHIPS_MAX = 20_000;

/** Opens what a process needs besides its own database; nothing here waits for a store. */
export function openRuntime(service: ServiceName, config: BaseConfig, seams: Seams = {}): Runtime {
  const now = seams.now ?? Date.now;
  const log = seams.log ?? createLogger(service, config.logLevel);
  const tracing = openTracing(service, config, log);
  const identity = identityTokens(config.identitySecrets, now);
  const nats = connectNats({ servers: config.natsUrl, credentials: config.natsCreds, name: service, log });
  const subject = eventStream(config.natsPrefix).invalidations;
  const invalidations = openInvalidations({ nats, subject, now, announces: service === 'accounts' });
  const client = internalClient({ service, urls: serviceUrls(config), identity, tracing });
  const memberships = freshCache<Membership | null>({
    invalidations,
    now,
    max: MEMBERSHIPS_MAX,
    async load(key) {
      const [userId = '', workspaceId = ''] = key.split('/');
      const found = await client.call('resolveMembership', {
        params: { userId },
        query: { workspace_id: workspaceId },
      });
      return { value: found.membership, tags: found.tags };
    },
  });
  const metrics = createMetrics(service);
  metrics.watchStore('nats', () => nats.connection() !== null);
  return {
    service,
    config,
    now,
    log,
    metrics,
    tracing,
    identity,
    nats,
    invalidations,
    call: client.call,
    cursors: cursorCodec(...(config.identitySecrets as [string, ...string[]])),
    resolveMembership: (userId, workspaceId) => memberships.get(`${userId}/${workspaceId}`),
    async close() {
      invalidations.stop();
      client.close();
      await nats.close();
      await tracing.close();
    },
  };
}

/** A process that answers on a port until it is stopped. */
export interface RunningService {
  url: string;
  adminPort: number;
  /** Resolves when the stores are set up; requests before that answer 503. Rejects where a restart alone would not help. */
  ready: Promise<void>;
  /** Leaves rotation, finishes what is in flight, closes everything; never throws twice. */
  stop(): Promise<void>;
}

/** A service with a database: the runtime, the store, and the one way to change it. */
export interface ServiceRuntime extends Runtime {
  database: Database;
  outbox: Outbox;
  commit: Commit;
  consume(options: ConsumerOptions): void;
  /** Runs when the process begins to stop, while requests and events in flight finish; the stores close after it. */
  onStop(task: () => Promise<void>): void;
  serve<S extends ServiceName>(
    handlers: Handlers<S>,
    options?: { resolveMembership?: ResolveMembership },
  ): Promise<RunningService>;
}

const PRUNE_MS = 600_000;
/** An unconfigured database answers DATABASE_NOT_CONFIGURED; the driver never gets to use this address. */
const NOWHERE = 'mongodb://127.0.0.1:1/?directConnection=true';

/** Opens a service of the product. Without MONGODB_URL it serves 503 DATABASE_NOT_CONFIGURED. */
export function openService(
  schema: Schema,
  config: DatabaseConfig,
  options: { seams?: Seams | undefined } = {},
): ServiceRuntime {
  const { service } = schema;
  const runtime = openRuntime(service, config, options.seams);
  const { log, metrics, nats, now, invalidations, tracing } = runtime;
  const database = openDatabase({
    url: config.mongodbUrl ?? NOWHERE,
    name: config.mongodbDatabase,
    async prepare(db) {
      if (!config.mongodbUrl) return;
      if (config.migrateOnStart)
        await migrate(db, schema, { onApplied: (part) => log.info({ part }, 'migrated') });
      else await assertMigrated(db, schema);
      await openConnections(db);
    },
    log,
  });
  database.ready.catch((error) => {
    if (error instanceof PendingMigrationsError) log.error({ pending: error.pending }, error.message);
    else log.error({ err: error }, 'the database could not be made ready');
  });
  metrics.watchStore('mongodb', () => database.isUp());
  const checkpoint = options.seams?.checkpoint ?? (() => undefined);
  const streamReplicas = config.natsReplicas;
  const prefix = config.natsPrefix;
  const outbox = createOutbox({ database, nats, prefix, streamReplicas, invalidations, metrics, log, now });
  const commit = createCommit({ database, outbox, invalidations, tracing, now, checkpoint });
  const consumers: EventConsumer[] = [];
  const stopTasks: (() => Promise<void>)[] = [];

  async function prune() {
    await outbox.prune(async (ids) => (await runtime.call('filterAuditedEvents', { body: { ids } })).ids);
  }

  function gate(): ApiError | null {
    if (!config.mongodbUrl) return new ApiError('DATABASE_NOT_CONFIGURED');
    return database.isReady() ? null : new ApiError('SERVICE_UNAVAILABLE');
  }

  return {
    ...runtime,
    database,
    outbox,
    commit,
    consume(consumer) {
      if (config.mongodbUrl) {
        consumers.push(
          consumeEvents({ nats, prefix, streamReplicas, metrics, tracing, log, checkpoint }, consumer),
        );
      }
    },
    onStop(task) {
      stopTasks.push(task);
    },
    async serve(handlers, { resolveMembership = runtime.resolveMembership } = {}) {
      await tracing.ready;
      let isDraining = false;
      const app = serveOperations({
        service: service as never,
        handlers: handlers as never,
        identity: runtime.identity,
        resolveMembership,
        metrics,
        tracing,
        log,
        gate,
        isDraining: () => isDraining,
      });
      const server = http.createServer(app);
      const admin = await startAdminServer({
        host: config.host,
        port: config.adminPort,
        registry: metrics.registry,
      });
      // Before that it has only 503 to say, where another replica may have an answer: who is sent here finds nobody yet, and goes there.
      await database.tried;
      const url = await listen(server, config.host, config.port);
      admin.ready();
      if (config.mongodbUrl) outbox.start();
      const pruneTimer = setInterval(() => {
        prune().catch((error) => log.warn({ err: error }, 'outbox not pruned; tried again later'));
      }, PRUNE_MS);
      pruneTimer.unref();
      log.info({ url, version }, `${service} is ready`);
      return {
        url,
        adminPort: admin.port,
        ready: database.ready,
        stop: once(async () => {
          isDraining = true;
          const stopping = stopTasks.map((task) => task());
          await drainServer(server, admin, config.drainDelayMs);
          await Promise.all(stopping);
          clearInterval(pruneTimer);
          await Promise.all(consumers.map((consumer) => consumer.stop()));
          await outbox.stop();
          await runtime.close();
          await database.close();
        }),
      };
    },
  };
}

/** Runs `stop` at most once, however often it is asked for. */
export function once(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

/** Listens, without a host on every address, with keep-alive longer than any caller's, and returns the base URL. */
export async function listen(server: http.Server, host: string | undefined, port: number): Promise<string> {
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as { port: number }).port;
  return `http://${host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host}:${bound}`;
}

/** All of draining, so that the process ends before it is killed. */
const DRAIN_LIMIT_MS = 17_000;
const IN_FLIGHT_LIMIT_MIN_MS = 1_000;
/** One for a connection, one for its request. */
const TURNS_TO_TAKE = 2;

/** Fails readiness, waits to leave rotation, lets what is in flight finish; a stream without end is cut off. */
export async function drainServer(server: http.Server, admin: AdminServer, delayMs: number): Promise<void> {
  admin.drain();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  // Timers run before sockets are read: connections and requests that have arrived by now are taken before any is closed.
  for (let turn = 0; turn < TURNS_TO_TAKE; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const inFlightLimitMs = Math.max(IN_FLIGHT_LIMIT_MIN_MS, DRAIN_LIMIT_MS - delayMs);
  const overdue = setTimeout(() => server.closeAllConnections(), inFlightLimitMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(overdue);
  await admin.close();
}
