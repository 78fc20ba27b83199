import { waitAtMost } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';
import { createClient, createCluster } from 'redis';
import { limiterScript, PAST_WINDOWS, pastOf } from './limiter-script.ts';
import type { RedisServers } from './redis-servers.ts';

/** A connection to Redis that comes and goes by itself. */
export interface Redis {
  /** Runs the limiter script: refusing tier or 0, now in ms, the count of each tier. Rejects when Redis is away. */
  consume(keys: readonly string[], windowMs: number, limits: readonly number[]): Promise<number[]>;
  /** A counter of the script as it is stored, the one of now or the last that was used first, then older windows. */
  counters(key: string): Promise<string[]>;
  /** What rate-limiter-flexible calls. */
  client: object;
  /** Resolves once connected, or after `limitMs` without. */
  connected(limitMs: number): Promise<void>;
  onLost(run: (cause: unknown) => void): void;
  /** Gives the connection up and makes a new one: a peer that vanished silently never closes it. */
  reconnect(): void;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
const RETRY_MAX_MS = 500;
/** How long a node of a cluster may be away before the others are asked who has its slots now. */
const TOPOLOGY_REFRESH_MS = 1_000;

const socket = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectStrategy: (retries: number) => Math.min(RETRY_MAX_MS, 20 * 2 ** Math.min(retries, 5)),
};
const shared = {
  socket,
  disableOfflineQueue: true,
  // The client's own timeout makes an AbortSignal for each command, which costs more than the command; redis-health.ts
  // watches over the answers.
  commandOptions: { timeout: 0 },
};
const scripts = { consume: limiterScript };

/** Connects in the background; a Redis that is away at start is no reason not to start. */
export function openRedis(options: { servers: RedisServers; cluster: boolean; log: Logger }): Redis {
  const { servers, tls, ...access } = options.servers;
  const reached = { ...socket, ...(tls && { tls: true as const }) };
  const client = options.cluster
    ? createCluster({
        rootNodes: servers.map((server) => ({ socket: server })),
        // The nodes that these tell of are connected to with nothing else.
        defaults: { ...shared, ...access, socket: reached },
        topologyRefreshOnReconnectionAttemptStrategy: TOPOLOGY_REFRESH_MS,
        commandOptions: shared.commandOptions,
        scripts,
      })
    : createClient({ ...shared, ...access, socket: { ...reached, ...servers[0]! }, scripts });
  const lostRuns: ((cause: unknown) => void)[] = [];
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  // Without a listener an error of the connection would end the process.
  client.on('error', (error) => {
    if (!isClosed) for (const run of lostRuns) run(error);
  });

  // A cluster without a reachable node gives up; a single connection goes on by itself.
  async function connect(): Promise<void> {
    if (isClosed || client.isOpen) return;
    try {
      await client.connect();
    } catch (error) {
      if (isClosed || client.isOpen) return;
      clearTimeout(retry);
      options.log.debug({ err: error }, 'Redis does not answer');
      retry = setTimeout(connect, RETRY_MAX_MS).unref();
    }
  }
  let connecting = connect();

  return {
    consume: (keys, windowMs, limits) => client.consume(keys, windowMs, limits),
    async counters(key) {
      const [last, past] = await Promise.all([
        client.get(key),
        client.lRange(pastOf(key), 0, PAST_WINDOWS - 1),
      ]);
      return last === null ? past : [last, ...past];
    },
    client,
    connected: (limitMs) => waitAtMost(connecting, limitMs),
    onLost(run) {
      lostRuns.push(run);
    },
    reconnect() {
      if (isClosed) return;
      client.destroy();
      connecting = connect();
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      if (client.isOpen) client.destroy();
    },
  };
}
