import { ApiError, type ServiceName } from '@waymark/contracts';
import { type ConsumerOptions, consumeEvents } from './events/event-consumer.ts';
import type { Handlers } from './http/handlers.ts';
import { largeBodies } from './http/large-bodies.ts';
import type { ResolveMembership } from './http/request-context.ts';
import { serveOperations } from './http/serve.ts';
import { type PeriodicTask, periodicTask } from './jobs/periodic-task.ts';
import { waitAtMost } from './jobs/wait-at-most.ts';
import { startAdminServer } from './process/admin-server.ts';
import { type DatabaseConfig, StartupError } from './process/environment.ts';
import { failureLog } from './process/failure-log.ts';
import { drainServer, listen } from './process/http-server.ts';
import { once, type RunningService } from './process/running-service.ts';
import { version } from './process/version.ts';
import { openRuntime, type Runtime, type Seams } from './runtime.ts';
import { createCommit } from './store/commit.ts';
import { recordPosition } from './store/consumer-position.ts';
import { type Database, isUnavailable, openConnections, openDatabase } from './store/database.ts';
import { assertMigrated, migrate, PendingMigrationsError } from './store/migration/migrate.ts';
import type { Schema } from './store/migration/schema.ts';
import { createOutbox, type Outbox } from './store/outbox/outbox.ts';
import { purgeTrash, TRASH } from './store/trash.ts';
import { workspacePurge } from './store/workspace-purge.ts';

/** A service with a database: the runtime, the store, and `commit`, the one way to change it. */
export type ServiceRuntime = ReturnType<typeof openService>;

interface Stoppable {
  stop(): Promise<void>;
}

const PRUNE_MS = 600_000;
/** Never connected to: without MONGODB_URL every request is answered with DATABASE_NOT_CONFIGURED. */
const NOWHERE = 'mongodb://127.0.0.1:1/?directConnection=true';

/** Opens a service of the product. Without MONGODB_URL it serves 503 DATABASE_NOT_CONFIGURED. */
export function openService(schema: Schema, config: DatabaseConfig, seams: Seams = {}) {
  const opened = openRuntime(schema.service, config, seams);
  let database: Database;
  try {
    database = openServiceDatabase(schema, config, opened);
  } catch (error) {
    // A connection to NATS would keep a command from ending.
    void opened.close();
    throw error;
  }
  // One clock for all that processes compare through the database. Identity tokens keep the process's own.
  const runtime = { ...opened, now: seams.now ?? opened.clockOf('mongodb').now, close };
  const { nats, now, invalidations, tracing } = runtime;
  const { checkpoint = () => undefined, recordMs } = seams;
  const { natsReplicas: streamReplicas, natsPrefix: prefix } = config;
  const outbox = createOutbox({ ...runtime, database, nats, prefix, streamReplicas });
  const consumers: Stoppable[] = [];
  const stopTasks: (() => Promise<void>)[] = [];

  /** Publishes the events of the last changes, and closes the connections. */
  async function close(): Promise<void> {
    await outbox.stop();
    await opened.close();
    await database.close();
  }

  /** Runs a task again and again from when the database is ready until the process stops. */
  function background({ failure, stopMs, atOnce, ...task }: BackgroundTask): PeriodicTask {
    const periodic = periodicTask({ ...task, ...failureLog(runtime.log, failure) });
    stopTasks.push(() => (stopMs ? waitAtMost(periodic.stop(), stopMs) : periodic.stop()));
    function begin(): void {
      periodic.start();
      if (atOnce) void periodic.trigger();
    }
    if (config.mongodbUrl) database.ready.then(begin, () => undefined);
    return periodic;
  }
  if (schema.indexes[TRASH]) {
    const run = () => purgeTrash(database, now());
    background({ everyMs: PRUNE_MS, run, failure: 'trash not purged; tried again later' });
  }

  return {
    ...runtime,
    database,
    outbox,
    workspaces: workspacePurge(database, schema.owned),
    checkpoint,
    ...createCommit({ database, outbox, invalidations, tracing, now, checkpoint }),
    consume(consumer: ConsumerOptions): void {
      if (!config.mongodbUrl) return;
      const context = { ...runtime, prefix, streamReplicas, checkpoint, isUnavailable };
      consumers.push(consumeEvents(context, consumer));
      consumers.push(recordPosition({ ...context, database, recordMs }, consumer.name));
    },
    background,
    /** Runs `task` when the process begins to stop, before the stores close. */
    onStop(task: () => Promise<void>): void {
      stopTasks.push(task);
    },
    serve: <S extends ServiceName>(handlers: Handlers<S>, overrides?: ServeOptions) =>
      serve(
        { ...runtime, ...overrides, config, database, outbox, background, stopTasks, consumers },
        handlers,
      ),
  };
}

interface BackgroundTask extends Pick<Parameters<typeof periodicTask>[0], 'everyMs' | 'run'> {
  /** The message that logs a failure. */
  failure: string;
  /** Whether the first run begins as soon as the database is ready. */
  atOnce?: true;
  /** The longest that the process waits for a run when it stops. */
  stopMs?: number;
}

interface ServeOptions {
  resolveMembership?: ResolveMembership;
  refreshCaller?: Runtime['refreshCaller'];
}

function openServiceDatabase(schema: Schema, config: DatabaseConfig, runtime: Runtime): Database {
  const { log, metrics, clockOf } = runtime;
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
    cursors: runtime.cursors,
    clock: config.mongodbUrl ? clockOf('mongodb') : undefined,
    log,
  });
  database.ready.catch((error) => {
    if (error instanceof PendingMigrationsError) log.error({ pending: error.pending }, error.message);
    else if (error instanceof StartupError) log.error(error.message);
    else log.error({ err: error }, 'the database could not be made ready');
  });
  // Without a URL, no database is expected.
  if (config.mongodbUrl) runtime.watchStore(database.isUp, 'mongodb');
  else metrics.watchStore(database.isUp, 'mongodb');
  return database;
}

/** Serves a service's operations until it is stopped. */
async function serve(
  runtime: Runtime &
    ServeOptions & {
      config: DatabaseConfig;
      database: Database;
      outbox: Outbox;
      background: (task: BackgroundTask) => PeriodicTask;
      stopTasks: (() => Promise<void>)[];
      consumers: Stoppable[];
    },
  handlers: object,
): Promise<RunningService> {
  const { service, log, config, database, outbox, stopTasks, consumers } = runtime;
  await runtime.tracing.ready;
  let isDraining = false;

  function gate(): ApiError | null {
    if (!config.mongodbUrl) return new ApiError('DATABASE_NOT_CONFIGURED');
    return database.isReady() ? null : new ApiError('SERVICE_UNAVAILABLE');
  }

  const large = largeBodies(runtime.metrics);
  const app = serveOperations({
    ...runtime,
    large,
    handlers,
    gate,
    isDraining: () => isDraining,
    isUnavailable,
  });
  const { tls } = runtime;
  const server = tls.createServer({}, app);
  const { registry } = runtime.metrics;
  const admin = await startAdminServer({ host: config.host, port: config.adminPort, registry, tls });
  // Listens after the first attempt to connect: until then every response would be 503, and a caller that
  // finds no listener asks another replica.
  await database.tried;
  const url = await listen(server, config.host, config.port);
  admin.ready();
  const audited = async (ids: string[]) => (await runtime.call('filterAuditedEvents', { body: { ids } })).ids;
  runtime.background({
    everyMs: PRUNE_MS,
    run: (stopping) => outbox.prune(audited, stopping),
    failure: 'outbox not pruned; tried again later',
  });
  if (config.mongodbUrl) outbox.start();
  log.info({ url, version }, `${service} is ready`);
  return {
    service,
    url,
    adminPort: admin.port,
    ready: database.ready,
    stop: once(async () => {
      isDraining = true;
      const stopping = Promise.all(stopTasks.map((task) => task()));
      await drainServer(server, admin, config.drainDelayMs);
      await stopping;
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await large.stop();
      await runtime.close();
    }),
  };
}
