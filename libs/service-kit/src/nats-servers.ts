import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { z } from 'zod';

/** Where NATS is and how to come in, as the library takes it. */
export type NatsServers = Pick<ConnectionOptions, 'servers' | 'tls' | 'user' | 'pass' | 'token'>;

const WRONG_URL =
  'each server needs to be nats://host:port, or tls://; with user:password@ or token@ before the host, percent-encoded';
const DIFFERENT = 'the credentials that some servers have hold for all, and need to be the same';

/**
 * Reads one or more servers, separated by commas. Credentials that one of them has, and TLS, hold for all, those included that the
 * servers tell of. The library itself takes no notice of what a URL has besides host and port.
 * Throws an Error that repeats nothing of a wrong URL, which may hold a password.
 */
export function natsServersOf(text: string): NatsServers {
  const urls = text
    .split(',')
    .filter((url) => url.trim() !== '')
    .map((url) => urlOf(url.trim()));
  if (urls.length === 0) throw new Error(WRONG_URL);
  const [credentials, ...others] = urls.map(credentialsOf).filter((each) => each !== null);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(credentials)))
    throw new Error(DIFFERENT);
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...credentials,
  };
}

function urlOf(text: string): URL {
  const url = URL.parse(text.includes('://') || text.includes('@') ? text : `nats://${text}`);
  const isWhole = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!isWhole || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
    throw new Error(WRONG_URL);
  return url;
}

function credentialsOf({ username, password }: URL): NatsServers | null {
  if (username === '' && password === '') return null;
  if (username === '') throw new Error(WRONG_URL);
  try {
    const user = decodeURIComponent(username);
    return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
  } catch {
    throw new Error(WRONG_URL);
  }
}

/** NATS_URL, as `natsServersOf` reads it. */
export const natsServers = () =>
  z
    .string()
    .default('nats://127.0.0.1:4222')
    .transform((text, context) => {
      try {
        return natsServersOf(text);
      } catch (error) {
        context.issues.push({ code: 'custom', message: (error as Error).message, input: undefined });
        return z.NEVER;
      }
    });

/** NATS_CREDS: the content of a creds file, or the seed of an nkey. */
export const natsCredentials = () =>
  z
    .string()
    .optional()
    .transform((text, context): Authenticator | undefined => {
      if (text === undefined) return undefined;
      // The library wants every line to end as a creds file's does.
      const lines = new TextEncoder().encode(`${text.replaceAll('\r\n', '\n').trim()}\n`);
      const seed = new TextEncoder().encode(text.trim());
      const authenticator = /^SU\w+$/.test(text.trim()) ? nkeyAuthenticator(seed) : credsAuthenticator(lines);
      try {
        authenticator('tried');
        return authenticator;
      } catch {
        const message = 'must be the content of a creds file, or the seed of a user’s nkey';
        context.issues.push({ code: 'custom', message, input: undefined });
        return z.NEVER;
      }
    });
