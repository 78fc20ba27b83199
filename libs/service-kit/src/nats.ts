import {
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from './logger.ts';

/** A NATS connection that comes and goes: callers ask for it each time and cope with its absence. */
export interface Nats {
  /** Null while NATS is away. */
  connection(): NatsConnection | null;
  jetstream(): JetStreamClient | null;
  manager(): Promise<JetStreamManager>;
  /** Runs now when connected, and after every (re)connect. */
  onConnect(run: (connection: NatsConnection) => void | Promise<void>): void;
  onDisconnect(run: () => void): void;
  close(): Promise<void>;
}

/** How often the server shows a waiting consumer that it is there; with the library's own 15 s its death is noticed late. */
const HEARTBEAT_MS = 2_000;

/**
 * A consumer's messages, which end with an error when the server has shown no sign of it for two heartbeats: its leader
 * or the consumer itself is gone, and is to be looked for anew. The library looks by itself, but once in 15 to 45 s, and
 * for a consumer that was deleted it looks for ever. The server has nothing to show while nobody reads on: `isReading`.
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
        messages.stop(new Error('NATS shows no sign of the consumer'));
  })();
  return messages;
}

/** Connects in the background and for ever; never throws because NATS is away. */
export function connectNats({ url, name, log }: { url: string; name: string; log: Logger }): Nats {
  let current: NatsConnection | null = null;
  let up = false;
  let closed = false;
  const connectRuns: ((connection: NatsConnection) => void | Promise<void>)[] = [];
  const disconnectRuns: (() => void)[] = [];

  async function run(task: (connection: NatsConnection) => void | Promise<void>, connection: NatsConnection) {
    try {
      await task(connection);
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'work after a NATS connect failed');
    }
  }

  function connected(connection: NatsConnection) {
    up = true;
    for (const task of connectRuns) void run(task, connection);
  }

  async function watch(connection: NatsConnection) {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false;
        log.warn('NATS is away');
        for (const task of disconnectRuns) task();
      } else if (status.type === 'reconnect') {
        log.info('NATS is back');
        connected(connection);
      }
    }
  }

  const opening = connect({
    servers: url.split(','),
    name,
    waitOnFirstConnect: true,
    // A node that hangs takes connections and says nothing; the others are tried after this.
    timeout: 5_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    pingInterval: 2_000,
    maxPingOut: 2,
    // For the stack of an error that hardly any request comes to, each would collect its own beforehand.
    noAsyncTraces: true,
  }).then(async (connection) => {
    if (closed) return connection.close();
    current = connection;
    void watch(connection);
    connected(connection);
  });
  opening.catch((error) => log.error({ err: error }, 'NATS refused the connection'));

  return {
    connection: () => (up ? current : null),
    jetstream: () => (up && current ? jetstream(current, { timeout: 5_000 }) : null),
    async manager() {
      if (!current) throw new Error('NATS is away');
      return jetstreamManager(current);
    },
    onConnect(task) {
      connectRuns.push(task);
      if (up && current) void run(task, current);
    },
    onDisconnect(task) {
      disconnectRuns.push(task);
    },
    async close() {
      closed = true;
      up = false;
      await current?.drain().catch(() => current?.close());
    },
  };
}
