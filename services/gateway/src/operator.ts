import { createClient } from 'redis';
import { masterOf, onceTo } from './limits/redis-sentinels.ts';
import { type RedisServers, redisSentinelsOf, redisServersOf } from './limits/redis-servers.ts';

export interface RedisObservation {
  version: string;
  /** Whether the server drops keys when its memory is full: that would reset counters of limits. */
  isEvicting: boolean;
  /** The share of its memory limit that is in use; 0 without a limit. */
  memoryUsed: number;
}

const TIMEOUT_MS = 3_000;

type Observed = Record<string, RedisObservation | { away: string }>;

/** The prefix of sentinels among the keys of the result. */
export const SENTINEL = 'sentinel ';

/**
 * Asks each server in REDIS_URL, by host and port; with REDIS_SENTINEL_URL, each sentinel and the master that
 * they name. `away` has the reason why a server did not answer.
 */
export async function observeRedis(env: Readonly<Record<string, string | undefined>>): Promise<Observed> {
  const given = redisServersOf(env['REDIS_URL'] ?? '');
  if (!env['REDIS_SENTINEL_URL']) return observeServers(given);
  const sentinels = redisSentinelsOf(env['REDIS_SENTINEL_URL']);
  const [{ host: name }] = given.servers as [RedisServers['servers'][number]];
  const ofMaster = masterOf(name, sentinels).then(
    (server) => observeServers({ ...given, servers: [server] }),
    () => ({ [name]: { away: 'no sentinel knows its address' } }),
  );
  return { ...(await observeServers(sentinels, SENTINEL)), ...(await ofMaster) };
}

async function observeServers(all: RedisServers, title = ''): Promise<Observed> {
  const observed = all.servers.map(async (server) => {
    const client = createClient(onceTo(server, all, TIMEOUT_MS));
    // `connect` or `info` rejects with the same error.
    client.on('error', () => undefined);
    const state = await client
      .connect()
      .then(() => client.info())
      .then(stateOf, (error: Error) => ({ away: error.message }))
      .finally(() => client.isOpen && client.destroy());
    return [`${title}${server.host}:${server.port}`, state] as const;
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
