import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type Authenticator,
  AuthorizationError,
  type NatsConnection,
  type Subscription,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { openNatsConnection } from '../patches/nats-connection.ts';
import type { Logger } from '../process/logger.ts';
import type { NatsServers } from '../process/nats-servers.ts';

/** A NATS connection that may be down: callers ask for it each time and handle its absence. */
export type Nats = ReturnType<typeof connectNats>;

type ConnectTask = (connection: NatsConnection) => void | Promise<void>;

const RETRY_MS = 200;
const JITTER_MS = 100;

/** Reports whether an error means that NATS refuses the credentials. */
export const isNatsRefusal = (error: unknown): boolean =>
  error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;

interface NatsOptions {
  servers: NatsServers;
  credentials?: Authenticator | undefined;
  name: string;
  log: Logger;
  /** The pause after a refusal: the server logs each attempt and seldom accepts the credentials soon. */
  refusedRetryMs?: number;
}

/** Connects in the background and retries forever, also when NATS is down or refuses the credentials. */
export function connectNats({ servers, credentials, name, log, refusedRetryMs = 2_000 }: NatsOptions) {
  const connectTasks: ConnectTask[] = [];
  let isUp = false;
  let isClosed = false;
  let isRefused = false;
  /** Failures that were logged since the last connection; there are several attempts a second. */
  const reported = new Set<string>();

  async function run(task: ConnectTask) {
    try {
      await task(connection);
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'work after a NATS connect failed');
    }
  }

  function connected() {
    if (isClosed) return;
    isUp = true;
    isRefused = false;
    reported.clear();
    for (const task of connectTasks) void run(task);
  }

  function isNew(what: string): boolean {
    const isFirst = !reported.has(what);
    reported.add(what);
    return isFirst;
  }

  function reportFailure(err: Error) {
    isRefused = isNatsRefusal(err);
    if (isClosed || !isNew(err.message)) return;
    if (isRefused) log.error({ err }, 'NATS refuses the credentials in NATS_URL or NATS_CREDS; tried again');
    else log.warn({ err }, 'NATS cannot be reached; tried again');
  }

  async function watch() {
    for await (const status of connection.status()) {
      if (isClosed) return;
      if (status.type === 'disconnect') {
        isUp = false;
        log.warn('NATS is away');
      } else if (status.type === 'reconnect') {
        log.info('NATS is back');
        connected();
      } else if (status.type === 'error' && !isNatsRefusal(status.error) && isNew(status.error.name)) {
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
  opened.then(connected, (err) => {
    if (!isClosed) log.error({ err }, 'stopped connecting to NATS');
  });

  return {
    /** Null while NATS is down, like `jetstream`. */
    connection: () => (isUp ? connection : null),
    jetstream: () => (isUp ? jetstream(connection, { timeout: 5_000 }) : null),
    /** Rejects while NATS is down. */
    async manager() {
      if (!isUp) throw new Error('NATS is away');
      // The caller sends a request next, which fails as the check would.
      return jetstreamManager(connection, { checkAPI: false });
    },
    /** Subscribes to a subject until `close`, also after a reconnect. */
    subscribe: (subject: string): Subscription => connection.subscribe(subject),
    /** Calls `task` now if connected, and after every (re)connect. */
    onConnect(task: ConnectTask) {
      connectTasks.push(task);
      if (isUp) void run(task);
    },
    async close() {
      if (isClosed) return;
      const wasUp = isUp;
      isUp = false;
      isClosed = true;
      if (wasUp) await connection.drain().catch(() => connection.close());
      else await abandon();
    },
  };
}
