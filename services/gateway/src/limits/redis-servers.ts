import { readServerList, serversVariable } from '@waymark/service-kit/process';

/** Where Redis is and how to come in, as the client takes it. */
export interface RedisServers {
  servers: { host: string; port: number }[];
  tls: boolean;
  username?: string;
  password?: string;
  database?: number;
}

/** Reads REDIS_URL. Throws an Error that repeats nothing of a wrong URL, which may hold a password. */
export function redisServersOf(text: string): RedisServers {
  const { servers, isSecure, username, password, path } = readServerList(text, {
    plain: 'redis',
    secure: 'rediss',
    port: 6379,
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

/** REDIS_URL, as `redisServersOf` reads it. */
export const redisServers = () => serversVariable(redisServersOf, 'redis://127.0.0.1:6379');
