import http from 'node:http';
import { ApiError, type ServiceName } from '@waymark/contracts';
import { type ConsumerOptions, consumeEvents, type EventConsumer } from './events/event-consumer.ts';
import type { Handlers } from './http/handlers.ts';
import type { ResolveMembership } from './http/request-context.ts';
import { serveOperations } from './http/serve.ts';
import { periodicTask } from './jobs/periodic-task.ts';
import { startAdminServer } from './process/admin-server.ts';
import type { DatabaseConfig } from './process/environment.ts';
import { drainServer, listen } from './process/http-server.ts';
import { once, type RunningService } from './process/running-service.ts';
import { version } from './process/version.ts';
import { openRuntime, type Runtime, type Seams } from './runtime.ts';
import { type Commit, createCommit } from './store/commit.ts';
import { type Database, isUnavailable, openConnections, openDatabase } from './store/database.ts';
import { assertMigrated, migrate, PendingMigrationsError } from './store/migration/migrate.ts';
import type { Schema } from './store/migration/schema.ts';
import { createOutbox, type Outbox } from './store/outbox/outbox.ts';

/** A service with a database: the runtime, the store, and `commit`, the one way to change it. */
export interface ServiceRuntime extends Runtime {
  database: Database;
  outbox: Outbox;
  commit: Commit;
  consume(options: ConsumerOptions): void;
  /**
   * Runs when the process begins to stop, while requests and events in flight finish; the stores close after
   * it.
   */
  onStop(task: () => Promise<void>): void;
  serve<S extends ServiceName>(
    handlers: Handlers<S>,
    options?: { resolveMembership?: ResolveMembership },
  ): Promise<RunningService>;
}

const PRUNE_MS = 600_000;
/** Never connected to: without MONGODB_URL every request is answered with DATABASE_NOT_CONFIGURED. */
const NOWHERE = 'mongodb://127.0.0.1:1/?directConnection=true';

/** Opens a service of the product. Without MONGODB_URL it serves 503 DATABASE_NOT_CONFIGURED. */
export function openService(
  schema: Schema,
  config: DatabaseConfig,
  options: { seams?: Seams | undefined } = {},
): ServiceRuntime {
  const runtime = openRuntime(schema.service, config, options.seams);
  const { nats, now, invalidations, tracing } = runtime;
  const database = openServiceDatabase(schema, config, runtime);
  const checkpoint = options.seams?.checkpoint ?? (() => undefined);
  const { natsReplicas: streamReplicas, natsPrefix: prefix } = config;
  const outbox = createOutbox({ ...runtime, database, nats, prefix, streamReplicas });
  const commit = createCommit({ database, outbox, invalidations, tracing, now, checkpoint });
  const consumers: EventConsumer[] = [];
  const stopTasks: (() => Promise<void>)[] = [];

  return {
    ...runtime,
    database,
    outbox,
    commit,
    consume(consumer) {
      if (!config.mongodbUrl) return;
      const context = { ...runtime, prefix, streamReplicas, checkpoint, isUnavailable };
      consumers.push(consumeEvents(context, consumer));
    },
    onStop(task) {
      stopTasks.push(task);
    },
    serve: (handlers, { resolveMembership = runtime.resolveMembership } = {}) =>
      serve({
        runtime: { ...runtime, resolveMembership },
        config,
        database,
        outbox,
        handlers,
        onStop: () => Promise.all(stopTasks.map((task) => task())),
        stopConsumers: () => Promise.all(consumers.map((consumer) => consumer.stop())),
      }),
  };
}

function openServiceDatabase(schema: Schema, config: DatabaseConfig, { log, metrics }: Runtime): Database {
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
  return database;
}

/** Serves a service's operations until it is stopped. */
async function serve<S extends ServiceName>(options: {
  runtime: Runtime;
  config: DatabaseConfig;
  database: Database;
  outbox: Outbox;
  handlers: Handlers<S>;
  onStop: () => Promise<unknown>;
  stopConsumers: () => Promise<unknown>;
}): Promise<RunningService> {
  const { runtime, config, database, outbox, handlers, onStop, stopConsumers } = options;
  const { service, log } = runtime;
  await runtime.tracing.ready;
  let isDraining = false;

  function gate(): ApiError | null {
    if (!config.mongodbUrl) return new ApiError('DATABASE_NOT_CONFIGURED');
    return database.isReady() ? null : new ApiError('SERVICE_UNAVAILABLE');
  }

  const app = serveOperations({
    ...runtime,
    service: service as never,
    handlers: handlers as never,
    gate,
    isDraining: () => isDraining,
    isUnavailable,
  });
  const server = http.createServer(app);
  const { registry } = runtime.metrics;
  const admin = await startAdminServer({ host: config.host, port: config.adminPort, registry });
  // Until the database was tried it could only answer 503; callers that find no listener go to another
  // replica.
  await database.tried;
  const url = await listen(server, config.host, config.port);
  admin.ready();
  const pruner = periodicTask({
    everyMs: PRUNE_MS,
    run: (stopping) =>
      outbox.prune(
        async (ids) => (await runtime.call('filterAuditedEvents', { body: { ids } })).ids,
        stopping,
      ),
    onError: (error) => log.warn({ err: error }, 'outbox not pruned; tried again later'),
  });
  if (config.mongodbUrl) {
    outbox.start();
    pruner.start();
  }
  log.info({ url, version }, `${service} is ready`);
  return {
    url,
    adminPort: admin.port,
    ready: database.ready,
    stop: once(async () => {
      isDraining = true;
      const stopping = onStop();
      await drainServer(server, admin, config.drainDelayMs);
      await stopping;
      await Promise.all([pruner.stop(), stopConsumers()]);
      await outbox.stop();
      await runtime.close();
      await database.close();
    }),
  };
}
