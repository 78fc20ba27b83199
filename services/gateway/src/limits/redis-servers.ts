import { readServerList } from '@waymark/service-kit/process';

export type RedisServers = ReturnType<typeof redisServersOf>;

/** Parses REDIS_URL. The error for a wrong URL repeats no part of it, because it may contain a password. */
export function redisServersOf(text: string, port = 6379) {
  const { servers, isSecure, username, password, path } = readServerList(text, {
    plain: 'redis',
    secure: 'rediss',
    port,
  });
  if (!/^\d*$/.test(path))
    throw new Error('the URL of a server ends with its port, or the number of a database');
  return {
    servers,
    tls: isSecure,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(path !== '' && { database: Number(path) }),
  };
}

/** Parses REDIS_SENTINEL_URL. */
export const redisSentinelsOf = (text: string) => redisServersOf(text, 26_379);
