import { BlockList, isIP } from 'node:net';

const MAPPED = '::ffff:';

/** Normalizes an IP address: removes the zone, and turns an IPv4-mapped IPv6 address into IPv4. */
export function plainAddress(address: string): string {
  const bare = address.includes('%') ? address.slice(0, address.indexOf('%')) : address;
  const mapped = bare.toLowerCase().startsWith(MAPPED) ? bare.slice(MAPPED.length) : '';
  return isIP(mapped) === 4 ? mapped : bare;
}

export function addressList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns the client's address: the peer's, or behind trusted proxies the rightmost address in
 * X-Forwarded-For that is not a trusted proxy. Addresses further left may be forged by the client.
 */
export function clientAddresses(trustedProxies: readonly string[]) {
  const trusted = addressList(trustedProxies);
  const hasProxies = trustedProxies.length > 0;

  return (peer: string | undefined, forwardedFor: string | string[] | undefined): string => {
    let address = plainAddress(peer ?? '');
    if (!hasProxies || forwardedFor === undefined || !isListed(trusted, address)) return address;
    const hops = String(forwardedFor).split(',');
    for (let i = hops.length - 1; i >= 0; i -= 1) {
      const hop = plainAddress(withoutPort(hops[i]!.trim()));
      if (isIP(hop) === 0) return address;
      address = hop;
      if (!isListed(trusted, hop)) return hop;
    }
    return address;
  };
}

/** Removes the port and the brackets of `192.0.2.1:443` and `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1]!;
  const parts = hop.split(':');
  return parts.length === 2 ? parts[0]! : hop;
}
