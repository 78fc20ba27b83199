import { z } from 'zod';

/** The servers of a store, and how to come in. */
export interface ServerList {
  servers: { host: string; port: number }[];
  isSecure: boolean;
  /** Empty where there are none. */
  username: string;
  password: string;
  /** What the first URL has behind its servers, without the slash. */
  path: string;
}

/**
 * Reads the URLs of one or more servers, separated by commas: `scheme://user:password@host:port/path`,
 * credentials percent-encoded. Credentials that one of them has, and TLS, hold for all, those included that
 * the servers tell of. Throws an Error that repeats nothing of a wrong URL, which may hold a password.
 */
export function readServerList(
  text: string,
  { plain, secure, port }: { plain: string; secure: string; port: number },
): ServerList {
  const wrong = () =>
    new Error(
      `each server needs to be ${plain}://host:${port}, or ${secure}:// for TLS; credentials before the host, as user:password@, are percent-encoded`,
    );
  const urls = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      // A password with a comma in it begins what looks like the next server.
      const url = URL.parse(/:\/\/|@/.test(item) ? item : `${plain}://${item}`);
      const hasScheme = url?.protocol === `${plain}:` || url?.protocol === `${secure}:`;
      if (!url || !hasScheme || url.hostname === '' || url.search !== '' || url.hash !== '') throw wrong();
      return url;
    });
  const [first] = urls;
  if (!first || urls.some(({ pathname }) => !/^\/?\w*$/.test(pathname))) throw wrong();
  const withCredentials = urls.filter(({ username, password }) => username !== '' || password !== '');
  const all = withCredentials.map(({ username, password }) => `${username}:${password}`);
  if (new Set(all).size > 1)
    throw new Error('the credentials that some servers have hold for all, and need to be the same');
  try {
    return {
      servers: urls.map((url) => ({
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(url.port || port),
      })),
      isSecure: urls.some(({ protocol }) => protocol === `${secure}:`),
      username: decodeURIComponent(withCredentials[0]?.username ?? ''),
      password: decodeURIComponent(withCredentials[0]?.password ?? ''),
      path: first.pathname.replace('/', ''),
    };
  } catch {
    throw wrong();
  }
}

/**
 * A variable that names servers, as `read` takes them; the message of an Error that it throws is told under
 * the variable's name.
 */
export const serversVariable = <T>(read: (text: string) => T, byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((text, context) => {
      try {
        return read(text);
      } catch (error) {
        context.issues.push({ code: 'custom', message: (error as Error).message, input: undefined });
        return z.NEVER;
      }
    });
