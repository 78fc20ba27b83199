import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  acquireBinary,
  freePort,
  type ManagedProcess,
  type StoreProcess,
  startProcess,
  startRedis,
} from '@waymark/local-stack';
import { eventually, patience } from '@waymark/testing';
import { createClient, type RedisClientType } from 'redis';

export const MASTER = 'limits';

export interface Sentinel {
  port: number;
  process: ManagedProcess;
}

export interface RedisSentinels {
  /** For REDIS_SENTINEL_URL. */
  url: string;
  sentinels: readonly Sentinel[];
  master: StoreProcess;
  replica: StoreProcess;
  stop(): Promise<void>;
}

const SENTINELS = 3;
/** A master counts as failed after this time. It is short to keep tests short. */
const DOWN_AFTER_MS = 1_000;
const FORMED_TIMEOUT_MS = patience(30_000);

/** Starts a sentinel that watches the master on a port of this machine. */
export async function startSentinel(options: {
  dataDir: string;
  masterPort: number;
  password: string;
  sentinelPassword: string;
}): Promise<Sentinel> {
  const { dataDir, masterPort, password, sentinelPassword } = options;
  const command = await acquireBinary('redis', console.error);
  // Sentinels tell clients the address of the master, which differs inside containers.
  if (typeof command !== 'string') throw new Error('sentinels need redis-server on this machine');
  const port = await freePort();
  const file = join(dataDir, 'sentinel.conf');
  mkdirSync(dataDir, { recursive: true });
  const lines = [
    ...[`port ${port}`, 'bind 127.0.0.1', `dir ${dataDir}`, `requirepass ${sentinelPassword}`],
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass ${MASTER} ${password}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} 10000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const process = await startProcess({
    name: 'sentinel',
    command,
    args: [file, '--sentinel'],
    logFile: join(dataDir, 'server.log'),
    port,
    isReady: () =>
      infoOf(port, sentinelPassword).then(
        () => true,
        () => false,
      ),
  });
  return { port, process };
}

/** Starts a master, a replica and three sentinels on this machine, which know one another. */
export async function startRedisSentinels(options: {
  dataDir: string;
  /** Of Redis; that of the sentinels is `sentinelPassword`. */
  password: string;
  sentinelPassword: string;
}): Promise<RedisSentinels> {
  const { dataDir, password, sentinelPassword } = options;
  const binary = await acquireBinary('redis', console.error);
  const started: { kill(): Promise<void> }[] = [];
  const stop = async () => void (await Promise.all(started.map((one) => one.kill())));

  async function startServer(name: string, ...args: string[]): Promise<StoreProcess> {
    const server = await startRedis({ binary, dataDir: join(dataDir, name), args });
    started.push(server);
    await onServer(server.port, undefined, async (client) => {
      await client.configSet('masterauth', password);
      await client.configSet('requirepass', password);
    });
    return server;
  }

  try {
    const master = await startServer('master');
    const replica = await startServer('replica', '--replicaof', '127.0.0.1', String(master.port));
    const sentinels: Sentinel[] = [];
    for (let i = 0; i < SENTINELS; i += 1) {
      const folder = join(dataDir, `sentinel-${i}`);
      const sentinel = await startSentinel({ ...options, dataDir: folder, masterPort: master.port });
      started.push(sentinel.process);
      sentinels.push(sentinel);
    }
    // Each knows the replica and the other two; otherwise none may replace the master.
    await eventually(async () => {
      const infos = await Promise.all(sentinels.map(({ port }) => infoOf(port, sentinelPassword)));
      const known = `slaves=1,sentinels=${SENTINELS}`;
      const replication = await infoOf(master.port, password);
      return infos.every((info) => info.includes(known)) && replication.includes('state=online');
    }, FORMED_TIMEOUT_MS);
    const url = sentinels.map(({ port }) => `redis://:${sentinelPassword}@127.0.0.1:${port}`).join(',');
    return { url, sentinels, master, replica, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs commands on one server. */
export async function onServer<T>(
  port: number,
  password: string | undefined,
  run: (client: RedisClientType) => Promise<T>,
): Promise<T> {
  const socket = { host: '127.0.0.1', port, reconnectStrategy: false, connectTimeout: 5_000 } as const;
  const client = createClient({ ...(password && { password }), socket }) as RedisClientType;
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    client.destroy();
  }
}

const infoOf = (port: number, password: string) => onServer(port, password, (client) => client.info());
