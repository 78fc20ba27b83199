import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast, the only routed part of IPv6 (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses that ipaddr.js classifies as unicast, but that IANA lists as special or a cloud uses for its own
 * services.
 */
const special = new BlockList();
special.addSubnet('192.31.196.0', 24); // AS112
special.addSubnet('192.52.193.0', 24); // AMT
special.addSubnet('192.88.99.0', 24); // 6to4 relays
special.addSubnet('192.175.48.0', 24); // AS112
special.addSubnet('198.18.0.0', 15); // benchmarks
special.addAddress('168.63.129.16'); // Azure's metadata and wire server
special.addSubnet('3fff::', 20, 'ipv6'); // documentation

export type AddressKind = 'public' | 'loopback' | 'refused';

/**
 * Classifies an address. Everything that is not clearly public is refused: private, link-local and metadata,
 * CGNAT, multicast, reserved, and every IPv6 form that embeds an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo).
 */
export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'refused';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || special.check(address.toString(), address.kind())) return 'refused';
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST) ? 'public' : 'refused';
}

/**
 * Returns the host of a URL if it is an address and not a name. The URL parser has normalized decimal, hex
 * and octal forms.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}
