import { createBatcher, waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import { createClient, createCluster } from 'redis';
import { type Charge, limiterScript, PAST_WINDOWS, pastOf } from './limiter-script.ts';
import type { redisServersOf } from './redis-servers.ts';

export type Redis = ReturnType<typeof openRedis>;

const CONNECT_TIMEOUT_MS = 1_000;
const RETRY_MAX_MS = 500;
/** How long a node of a cluster may be away before the other nodes are asked which of them has its slots. */
const TOPOLOGY_REFRESH_MS = 1_000;

// The client's own timeout creates an AbortSignal per command, which costs more than the command.
// redis-health.ts limits the time of an answer.
const commandOptions = { timeout: 0 };
const scripts = { charge: limiterScript };
/** So that no other client of Redis waits long for one call of the script. */
const CHARGES_MAX = 100;

/** Connects in the background, so that the gateway starts without Redis, and reconnects by itself. */
export function openRedis(options: {
  servers: ReturnType<typeof redisServersOf>;
  cluster: boolean;
  log: Logger;
}) {
  const { servers, tls, ...access } = options.servers;
  const socket = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: (retries: number) => Math.min(RETRY_MAX_MS, 20 * 2 ** Math.min(retries, 5)),
    ...(tls && { tls: true as const }),
  };
  const shared = { ...access, disableOfflineQueue: true, commandOptions };
  const client = options.cluster
    ? createCluster({
        rootNodes: servers.map((server) => ({ socket: server })),
        // The client connects to the nodes that it discovers with these options alone.
        defaults: { ...shared, socket },
        topologyRefreshOnReconnectionAttemptStrategy: TOPOLOGY_REFRESH_MS,
        commandOptions,
        scripts,
      })
    : createClient({ ...shared, socket: { ...socket, ...servers[0]! }, scripts });
  let isClosed = false;
  let hasConnected = false;
  let retry: NodeJS.Timeout | undefined;

  // Without a listener, a connection error would end the process.
  client.on('error', () => undefined);

  // The client of a cluster gives up when no node is reachable; that of a single server retries by itself.
  async function connect(): Promise<void> {
    if (isClosed || client.isOpen) return;
    try {
      await client.connect();
      hasConnected = true;
    } catch (error) {
      if (isClosed || client.isOpen) return;
      clearTimeout(retry);
      options.log.debug({ err: error }, 'Redis does not answer');
      retry = setTimeout(connect, RETRY_MAX_MS).unref();
    }
  }
  let connecting = connect();
  // A command costs more than what it carries: requests that arrive while one is unanswered share the next.
  const charges = createBatcher<Charge, number[]>({
    run: (batch) => client.charge(batch),
    maxSize: CHARGES_MAX,
    keysAtOnce: Number.POSITIVE_INFINITY,
  });
  /** A cluster takes only keys with the same hash tag in one command. */
  const batchOf = (key: string) => (options.cluster ? key.slice(0, key.indexOf('}')) : '');

  return {
    consume: (
      keys: readonly string[],
      windowMs: number,
      limits: readonly number[],
      { cost = 1, pastWindows = PAST_WINDOWS }: Partial<Pick<Charge, 'cost' | 'pastWindows'>> = {},
    ): Promise<number[]> => charges.add({ keys, windowMs, limits, cost, pastWindows }, batchOf(keys[0]!)),
    /** The stored counters of a key: the latest first, then those of older windows. */
    async counters(key: string): Promise<string[]> {
      const [last, past] = await Promise.all([
        client.get(key),
        client.lRange(pastOf(key), 0, PAST_WINDOWS - 1),
      ]);
      return last === null ? past : [last, ...past];
    },
    hasConnected: () => hasConnected,
    connected: (limitMs: number) => waitAtMost(connecting, limitMs),
    onLost(run: (cause: unknown) => void): void {
      client.on('error', (error) => !isClosed && run(error));
    },
    /** Replaces the connection: one to a peer that vanished silently never closes by itself. */
    reconnect(): void {
      if (isClosed) return;
      client.destroy();
      connecting = connect();
    },
    close(): void {
      isClosed = true;
      clearTimeout(retry);
      if (client.isOpen) client.destroy();
    },
  };
}
