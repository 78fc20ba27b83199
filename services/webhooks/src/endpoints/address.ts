import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast, the only routed part of IPv6 (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Unicast according to ipaddr.js, but listed as special by IANA or used by a cloud for its own services. */
const special = new BlockList();
special.addSubnet('192.31.196.0', 24); // AS112
special.addSubnet('192.52.193.0', 24); // AMT
special.addSubnet('192.88.99.0', 24); // 6to4 relays
special.addSubnet('192.175.48.0', 24); // AS112
special.addSubnet('198.18.0.0', 15); // benchmarks
special.addAddress('168.63.129.16'); // Azure's metadata and wire server
special.addSubnet('3fff::', 20, 'ipv6'); // documentation
special.addAddress('100.100.100.200'); // Alibaba Cloud's metadata
special.addSubnet('fd00:ec2::', 32, 'ipv6'); // AWS's metadata
special.addSubnet('fd20:ce::', 32, 'ipv6'); // Google Cloud's metadata

/** The ranges of private networks: RFC 1918, RFC 4193 and RFC 6598. */
const PRIVATE = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

export type AddressKind = 'public' | 'private' | 'loopback' | 'refused';

/** Classifies an address. Refuses metadata, everything reserved, and IPv6 forms that embed IPv4. */
export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'refused';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (special.check(address.toString(), address.kind())) return 'refused';
  if (PRIVATE.has(range)) return 'private';
  if (range !== 'unicast') return 'refused';
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST) ? 'public' : 'refused';
}

/** Whether a name always means this machine (RFC 6761, 6.3). */
export function isLocalName(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname);
}

/** Returns the host of a URL if it is an address. The URL parser has normalized hex and octal forms. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : null;
}
