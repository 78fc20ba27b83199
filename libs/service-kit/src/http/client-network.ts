import { isIPv6 } from 'node:net';

/** Returns the network that counts as one client: an IPv4 address, or the /64 that an IPv6 client has. */
export const clientNetwork = (address: string | null): string => clientNetworks(address)[0];

/** Returns the client network and, for IPv6, the /48 around it, which one subscriber may have as a whole. */
export function clientNetworks(address: string | null): [string, ...string[]] {
  if (address === null || !isIPv6(address)) return [address ?? 'unknown'];
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return [mapped[1]!];
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}
