import http from 'node:http';
import { ApiError, type ServiceName } from '@waymark/contracts';
import { type ConsumerOptions, consumeEvents, type EventConsumer } from './events/event-consumer.ts';
import type { Handlers } from './http/handlers.ts';
import type { ResolveMembership } from './http/request-context.ts';
import { serveOperations } from './http/serve.ts';
import { startAdminServer } from './process/admin-server.ts';
import type { DatabaseConfig } from './process/environment.ts';
import { drainServer, listen } from './process/http-server.ts';
import { once, type RunningService } from './process/running-service.ts';
import { version } from './process/version.ts';
import { openRuntime, type Runtime, type Seams } from './runtime.ts';
import { type Commit, createCommit } from './store/commit.ts';
import { type Database, isUnavailable, openConnections, openDatabase } from './store/database.ts';
import { assertMigrated, migrate, PendingMigrationsError } from './store/migrate.ts';
import { createOutbox, type Outbox } from './store/outbox.ts';
import type { Schema } from './store/schema.ts';

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
          consumeEvents(
            { nats, prefix, streamReplicas, metrics, tracing, log, now, checkpoint, isUnavailable },
            consumer,
          ),
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
        isUnavailable,
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
