import { createBatcher, waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import { createClient, createCluster } from 'redis';
import { type Charge, limiterScript, PAST_WINDOWS, pastOf } from './limiter-script.ts';
import { masterOf } from './redis-sentinels.ts';
import type { RedisServers } from './redis-servers.ts';

export type Redis = ReturnType<typeof openRedis>;

const CONNECT_TIMEOUT_MS = 1_000;
const RETRY_MAX_MS = 500;
/** How long a node of a cluster may be away before the other nodes are asked which of them has its slots. */
const TOPOLOGY_REFRESH_MS = 1_000;

// The client's own timeout creates an AbortSignal per command, which costs more than the command.
// redis-health.ts limits the time of an answer.
const commandOptions = { timeout: 0 };
const scripts = { charge: limiterScript };
/** The most charges of one call of the script, so that no other client of Redis waits long. */
const CHARGES_MAX = 100;

/**
 * Connects in the background, so that the gateway starts without Redis, and reconnects by itself. With
 * `sentinels`, the host in `servers` is the name under which they know the master.
 */
export function openRedis(options: {
  servers: RedisServers;
  sentinels?: RedisServers | undefined;
  cluster: boolean;
  log: Logger;
}) {
  const { sentinels } = options;
  const { servers, tls, ...access } = options.servers;
  const socket = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: (retries: number) => Math.min(RETRY_MAX_MS, 20 * 2 ** Math.min(retries, 5)),
    ...(tls && { tls: true as const }),
  };
  const shared = { ...access, disableOfflineQueue: true, commandOptions };
  const clientOf = (server: RedisServers['servers'][number], more = {}) =>
    createClient({ ...shared, socket: { ...socket, ...server, ...more }, scripts });
  const clientOfCluster = () =>
    createCluster({
      rootNodes: servers.map((server) => ({ socket: server })),
      // The client connects to the nodes that it discovers with these options alone.
      defaults: { ...shared, socket },
      topologyRefreshOnReconnectionAttemptStrategy: TOPOLOGY_REFRESH_MS,
      commandOptions,
      scripts,
    });
  let client = listen(options.cluster ? clientOfCluster() : clientOf(servers[0]!));
  let isClosed = false;
  let hasConnected = false;
  let isAsking = false;
  let retry: NodeJS.Timeout | undefined;
  let onLost: (cause: unknown) => void = () => undefined;

  // Without a listener, a connection error would end the process.
  function listen<C extends ReturnType<typeof clientOf | typeof clientOfCluster>>(of: C): C {
    return of.on('error', (error) => {
      if (isClosed || of !== client) return;
      onLost(error);
      if (sentinels) void connect();
    }) as C;
  }

  /** Replaces the client by one that stays with the present master until the connection ends. */
  async function findMaster(known: RedisServers): Promise<void> {
    isAsking = true;
    try {
      const master = await masterOf(servers[0]!.host, known);
      client = listen(clientOf(master, { reconnectStrategy: false }));
    } finally {
      isAsking = false;
    }
  }

  // A cluster's client gives up when no node is reachable; a single server's client retries by itself.
  async function connect(): Promise<void> {
    if (isClosed || isAsking || client.isOpen) return;
    let late: NodeJS.Timeout | undefined;
    try {
      if (sentinels) await findMaster(sentinels);
      if (isClosed) return;
      // A server that hangs accepts connections. By the next attempt, another may be the master.
      if (sentinels) late = setTimeout(() => client.destroy(), CONNECT_TIMEOUT_MS).unref();
      await client.connect();
      hasConnected = true;
    } catch (error) {
      if (isClosed || client.isOpen) return;
      clearTimeout(retry);
      options.log.debug({ err: error }, 'Redis does not answer');
      retry = setTimeout(connect, RETRY_MAX_MS).unref();
    } finally {
      clearTimeout(late);
    }
  }
  let connecting = connect();

  function reconnect(): void {
    if (isClosed) return;
    client.destroy();
    connecting = connect();
  }

  async function charge(batch: readonly Charge[]): Promise<number[][]> {
    try {
      return await client.charge(batch);
    } catch (error) {
      // A server that answers with an error may be a replica now, or a master that the sentinels gave up.
      if (sentinels && client.isReady) reconnect();
      throw error;
    }
  }
  // Batches charges, because a round trip costs more than its payload.
  const charges = createBatcher<Charge, number[]>({
    run: charge,
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
      onLost = run;
    },
    /** Replaces the connection. A connection to a peer that vanished silently never closes by itself. */
    reconnect,
    close(): void {
      isClosed = true;
      clearTimeout(retry);
      if (client.isOpen) client.destroy();
    },
  };
}
