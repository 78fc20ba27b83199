import { readServerList } from '@waymark/service-kit/process';

/** Parses REDIS_URL. The error for a wrong URL repeats no part of it, because it may contain a password. */
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
