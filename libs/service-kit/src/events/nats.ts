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
export const isRefusal = (error: unknown): boolean =>
  error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;

interface NatsOptions {
  servers: NatsServers;
  credentials?: Authenticator | undefined;
  name: string;
  log: Logger;
  /** The pause after a refusal: the server logs each attempt and seldom accepts the credentials soon. */
  refusedRetryMs?: number;
}

/** What a user of a connection wants to know of it. */
interface User {
  log: Logger;
  connectTasks: ConnectTask[];
  disconnectTasks: (() => void)[];
}

/** The connections of this process by servers, those with credentials apart: services share the others. */
const connections = new Map<string | symbol, ReturnType<typeof openConnection>>();

function openConnection({ servers, credentials, name, refusedRetryMs = 2_000 }: NatsOptions) {
  const users = new Set<User>();
  let up = false;
  let isRefused = false;
  /** Failures that were logged since the last connection; there are several attempts a second. */
  const reported = new Set<string>();

  async function run(user: User, task: ConnectTask) {
    try {
      await task(connection);
    } catch (error) {
      if (users.has(user)) user.log.warn({ err: error }, 'work after a NATS connect failed');
    }
  }

  function connected() {
    if (users.size === 0) return;
    up = true;
    isRefused = false;
    reported.clear();
    for (const user of users) for (const task of user.connectTasks) void run(user, task);
  }

  function isNew(what: string): boolean {
    const isFirst = !reported.has(what);
    reported.add(what);
    return isFirst;
  }

  function reportFailure(err: Error) {
    isRefused = isRefusal(err);
    if (!isNew(err.message)) return;
    for (const { log } of users)
      if (isRefused)
        log.error({ err }, 'NATS refuses the credentials in NATS_URL or NATS_CREDS; tried again');
      else log.warn({ err }, 'NATS cannot be reached; tried again');
  }

  async function watch() {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false;
        for (const { log, disconnectTasks } of users) {
          log.warn('NATS is away');
          for (const task of disconnectTasks) task();
        }
      } else if (status.type === 'reconnect') {
        for (const { log } of users) log.info('NATS is back');
        connected();
      } else if (status.type === 'error' && !isRefusal(status.error) && isNew(status.error.name)) {
        for (const { log } of users) log.warn({ err: status.error }, 'NATS refuses what it was asked for');
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
    for (const { log } of users) log.error({ err }, 'stopped connecting to NATS');
  });
  return { connection, users, run, isUp: () => up, abandon };
}

/** Connects in the background and retries forever, also when NATS is down or refuses the credentials. */
export function connectNats(options: NatsOptions) {
  const key = options.credentials ? Symbol('private') : JSON.stringify(options.servers);
  const shared = connections.get(key) ?? openConnection(options);
  connections.set(key, shared);
  const { connection, users, run, abandon } = shared;
  const user: User = { log: options.log, connectTasks: [], disconnectTasks: [] };
  users.add(user);
  const subscriptions: Subscription[] = [];
  const isUp = () => shared.isUp() && users.has(user);

  return {
    /** Null while NATS is down, like `jetstream`. */
    connection: () => (isUp() ? connection : null),
    jetstream: () => (isUp() ? jetstream(connection, { timeout: 5_000 }) : null),
    /** Rejects while NATS is down. */
    async manager() {
      if (!isUp()) throw new Error('NATS is away');
      // Whoever asks for a manager sends a request, which fails as the check would.
      return jetstreamManager(connection, { checkAPI: false });
    },
    /** Subscribes to a subject until `close`, also after a reconnect. */
    subscribe(subject: string): Subscription {
      const subscription = connection.subscribe(subject);
      subscriptions.push(subscription);
      return subscription;
    },
    /** Calls `task` now if connected, and after every (re)connect. */
    onConnect(task: ConnectTask) {
      user.connectTasks.push(task);
      if (isUp()) void run(user, task);
    },
    onDisconnect(task: () => void) {
      user.disconnectTasks.push(task);
    },
    async close() {
      const wasUp = isUp();
      if (!users.delete(user)) return;
      if (users.size > 0) {
        for (const subscription of subscriptions) subscription.unsubscribe();
        if (wasUp) await connection.flush().catch(() => undefined);
        return;
      }
      connections.delete(key);
      if (wasUp) await connection.drain().catch(() => connection.close());
      else await abandon();
    },
  };
}
