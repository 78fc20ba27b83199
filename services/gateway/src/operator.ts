import { createClient } from 'redis';
import { redisServersOf } from './limits/redis-servers.ts';

export interface RedisObservation {
  version: string;
  /** Whether it drops keys when its memory is full, and with them counters of limits. */
  isEvicting: boolean;
  /** The share of its memory limit that is in use; 0 without a limit. */
  memoryUsed: number;
}

const TIMEOUT_MS = 3_000;

/** Asks each server in REDIS_URL, by host and port. Why a server did not answer is in `away`. */
export async function observeRedis(
  url: string,
): Promise<Record<string, RedisObservation | { away: string }>> {
  const { servers, tls, ...access } = redisServersOf(url);
  const observed = servers.map(async (server) => {
    const socket = {
      ...server,
      connectTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      reconnectStrategy: false,
    } as const;
    const client = createClient({ ...access, socket: tls ? { ...socket, tls } : socket });
    // The rejection of `connect` or `info` says the same.
    client.on('error', () => undefined);
    const state = await client
      .connect()
      .then(() => client.info())
      .then(stateOf, (error: Error) => ({ away: error.message }))
      .finally(() => client.isOpen && client.destroy());
    return [`${server.host}:${server.port}`, state] as const;
  });
  return Object.fromEntries(await Promise.all(observed));
}

function stateOf(info: string): RedisObservation {
  const fields = new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
  const limit = Number(fields.get('maxmemory') ?? 0);
  return {
    version: fields.get('redis_version') ?? 'of unknown version',
    isEvicting: limit > 0 && fields.get('maxmemory_policy') !== 'noeviction',
    memoryUsed: limit > 0 ? Number(fields.get('used_memory')) / limit : 0,
  };
}
