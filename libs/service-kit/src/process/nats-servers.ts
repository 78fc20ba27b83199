import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { z } from 'zod';
import { parsedBy, readServerList, serversVariable } from './server-list.ts';

/** The servers and credentials of NATS, as the library takes them. */
export type NatsServers = Pick<ConnectionOptions, 'servers' | 'tls' | 'user' | 'pass' | 'token'>;

/**
 * Reads NATS_URL; the library ignores everything in a URL except host and port. A user without a password is
 * a token. Throws an Error that does not repeat the URL, which may hold a password.
 */
export function natsServersOf(text: string): NatsServers {
  const { servers, isSecure, username, password, path } = readServerList(text, {
    plain: 'nats',
    secure: 'tls',
    port: 4222,
  });
  if (path !== '') throw new Error('the URL of a server ends with its port');
  if (username === '' && password !== '') throw new Error('a password needs a user, and a token no colon');
  return {
    servers: servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    ...(isSecure && { tls: {} }),
    ...(password !== '' ? { user: username, pass: password } : username !== '' && { token: username }),
  };
}

/** The variable NATS_URL, read by `natsServersOf`. */
export const natsServers = () => serversVariable(natsServersOf, 'nats://127.0.0.1:4222');

function authenticatorOf(text: string): Authenticator {
  const creds = text.trim();
  // The library requires LF at the end of every line, as in a creds file.
  const bytes = new TextEncoder().encode(`${creds.replaceAll('\r\n', '\n')}\n`);
  const authenticator = /^SU\w+$/.test(creds)
    ? nkeyAuthenticator(new TextEncoder().encode(creds))
    : credsAuthenticator(bytes);
  authenticator('tried');
  return authenticator;
}

/** The variable NATS_CREDS: the content of a creds file, or the seed of an nkey. */
export const natsCredentials = () =>
  z
    .string()
    .transform(parsedBy(authenticatorOf, 'must be the content of a creds file, or the seed of a user’s nkey'))
    .optional();
