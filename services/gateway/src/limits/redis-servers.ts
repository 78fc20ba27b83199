import { readServerList, serversVariable } from '@waymark/service-kit/process';

/**
 * The addresses and credentials in REDIS_URL, in the form that the client takes. The error for a wrong URL
 * repeats no part of it, because it may contain a password.
 */
export function redisServersOf(text: string) {
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
