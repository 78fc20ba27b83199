import { readServerList, serversVariable } from '@waymark/service-kit/process';

/** The addresses and credentials of Redis, in the form that its client takes. */
export interface RedisServers {
  servers: { host: string; port: number }[];
  tls: boolean;
  username?: string;
  password?: string;
  database?: number;
}

/** Parses REDIS_URL. The error for a wrong URL repeats no part of it, because it may contain a password. */
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

/** The variable REDIS_URL, parsed by `redisServersOf`. */
export const redisServers = () => serversVariable(redisServersOf, 'redis://127.0.0.1:6379');
