import { z } from 'zod';

/** The servers of a store and the credentials for them. */
export interface ServerList {
  servers: { host: string; port: number }[];
  isSecure: boolean;
  /** Empty without credentials. */
  username: string;
  password: string;
  /** The path of the first URL, without the slash. */
  path: string;
}

/**
 * Reads comma-separated URLs of servers with percent-encoded credentials. The credentials and the TLS of one
 * URL apply to all servers. Throws an Error that does not repeat the URL, which may hold a password.
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
      // After a comma in a password, the rest looks like the next server.
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
    throw new Error('credentials apply to all servers and must be the same in every URL that has them');
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

/** Transforms a variable by `read`. If it throws, the variable is reported with `message` or the error's. */
export const parsedBy =
  <T>(read: (text: string) => T, message?: string) =>
  (text: string, context: z.RefinementCtx): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: message ?? (error as Error).message, input: undefined });
      return z.NEVER;
    }
  };

/** A variable with a list of servers. */
export const serversVariable = <T>(read: (text: string) => T, byDefault: string) =>
  z.string().default(byDefault).transform(parsedBy(read));
