import { Resolver } from 'node:dns/promises';
import { isLocalName } from './address.ts';

/** Returns the addresses of a name, IPv4 first; throws when it has none or no name server answers. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const LOOPBACK = ['127.0.0.1', '::1'];
const TRY_MS = 1_500;
const TRIES = 2;

/**
 * Asks the name servers directly: getaddrinfo runs in Node's four threads, where four names with a dead name
 * server block all others.
 */
export function hostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const asking = new Map<string, Promise<string[]>>();

  async function ask(hostname: string): Promise<string[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0)
      throw four.status === 'rejected' ? four.reason : new Error(`${hostname} has no address`);
    return found;
  }

  return (hostname) => {
    if (isLocalName(hostname)) return Promise.resolve(LOOPBACK);
    const known = asking.get(hostname);
    if (known) return known;
    const asked = ask(hostname).finally(() => asking.delete(hostname));
    asking.set(hostname, asked);
    return asked;
  };
}
