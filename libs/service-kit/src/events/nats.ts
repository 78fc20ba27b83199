import {
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  type Authenticator,
  AuthorizationError,
  type NatsConnection,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { openNatsConnection } from '../patches/nats-connection.ts';
import type { Logger } from '../process/logger.ts';
import type { NatsServers } from '../process/nats-servers.ts';

/** A NATS connection that may be down: callers ask for it each time and handle its absence. */
export interface Nats {
  /** Null while NATS is down. */
  connection(): NatsConnection | null;
  jetstream(): JetStreamClient | null;
  manager(): Promise<JetStreamManager>;
  /** Calls `run` now if connected, and after every (re)connect. */
  onConnect(run: (connection: NatsConnection) => void | Promise<void>): void;
  onDisconnect(run: () => void): void;
  close(): Promise<void>;
}

/**
 * How often the server sends a heartbeat to an idle consumer. The library's default of 15 s detects a failure
 * late.
 */
const HEARTBEAT_MS = 2_000;

/**
 * Returns a consumer's messages, which end with an error after two missed heartbeats: the consumer or its
 * leader is gone. The library alone would check every 15 to 45 s, and forever for a deleted consumer. Missed
 * heartbeats count only while `isReading`.
 */
export async function consumeWhileAlive(
  consumer: Consumer,
  maxMessages: number,
  isReading = () => true,
): Promise<ConsumerMessages> {
  const messages = await consumer.consume({ max_messages: maxMessages, idle_heartbeat: HEARTBEAT_MS });
  void (async () => {
    for await (const { type } of messages.status())
      if (type === 'heartbeats_missed' && isReading())
        messages.stop(new Error('NATS sends no heartbeats for the consumer'));
  })();
  return messages;
}

const RETRY_MS = 200;
const JITTER_MS = 100;

/** Reports whether an error means that NATS refuses the credentials. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;

/**
 * Connects in the background and retries forever. Never throws because NATS is down or refuses the
 * credentials.
 */
export function connectNats({
  servers,
  credentials,
  name,
  log,
  refusedRetryMs = 2_000,
}: {
  servers: NatsServers;
  credentials?: Authenticator | undefined;
  name: string;
  log: Logger;
  /**
   * The retry interval after a refusal: the server logs each attempt and seldom accepts the credentials soon.
   */
  refusedRetryMs?: number;
}): Nats {
  let up = false;
  let hasBeenUp = false;
  let closed = false;
  let isRefused = false;
  /** Failures that were logged since the last connection; there are several attempts a second. */
  const reported = new Set<string>();
  const connectRuns: ((connection: NatsConnection) => void | Promise<void>)[] = [];
  const disconnectRuns: (() => void)[] = [];

  async function run(task: (connection: NatsConnection) => void | Promise<void>) {
    try {
      await task(connection);
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'work after a NATS connect failed');
    }
  }

  function connected() {
    if (closed) return;
    up = true;
    hasBeenUp = true;
    isRefused = false;
    reported.clear();
    for (const task of connectRuns) void run(task);
  }

  function isNew(what: string): boolean {
    const isFirst = !closed && !reported.has(what);
    reported.add(what);
    return isFirst;
  }

  function reportFailure(error: Error) {
    isRefused = isRefusal(error);
    if (!isNew(error.message)) return;
    if (isRefused)
      log.error({ err: error }, 'NATS refuses the credentials in NATS_URL or NATS_CREDS; tried again');
    else log.warn({ err: error }, 'NATS cannot be reached; tried again');
  }

  async function watch() {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false;
        log.warn('NATS is away');
        for (const task of disconnectRuns) task();
      } else if (status.type === 'reconnect') {
        log.info('NATS is back');
        connected();
      } else if (status.type === 'error' && !isRefusal(status.error) && isNew(status.error.name)) {
        log.warn({ err: status.error }, 'NATS refuses what it was asked for');
      }
    }
  }

  const { connection, opened, abandon } = openNatsConnection(
    {
      ...servers,
      ...(credentials && { authenticator: credentials }),
      name,
      waitOnFirstConnect: true,
      // A hanging node accepts connections and sends nothing; after this time the next node is tried.
      timeout: 5_000,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectDelayHandler: () => (isRefused ? refusedRetryMs : RETRY_MS) + Math.random() * JITTER_MS,
      pingInterval: 2_000,
      maxPingOut: 2,
      // Otherwise the library captures a stack trace for every request, in case it fails.
      noAsyncTraces: true,
    },
    reportFailure,
  );
  void watch();
  opened.then(connected, (error) => {
    if (!closed) log.error({ err: error }, 'stopped connecting to NATS');
  });

  return {
    connection: () => (up ? connection : null),
    jetstream: () => (up ? jetstream(connection, { timeout: 5_000 }) : null),
    async manager() {
      if (!hasBeenUp) throw new Error('NATS is away');
      return jetstreamManager(connection);
    },
    onConnect(task) {
      connectRuns.push(task);
      if (up) void run(task);
    },
    onDisconnect(task) {
      disconnectRuns.push(task);
    },
    async close() {
      const wasUp = up;
      closed = true;
      up = false;
      if (wasUp) await connection.drain().catch(() => connection.close());
      else await abandon();
    },
  };
}
