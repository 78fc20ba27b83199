import ipaddr from 'ipaddr.js';
import { addressKind } from './address.ts';

/** A target that is allowed in addition to public addresses: a host, or the addresses of a network. */
export type AllowedTarget = {
  /** Null allows the ports of WEBHOOK_PORTS, and 80 for http. */
  port: number | null;
  /** Whether plain http is allowed as well. */
  http: boolean;
} & ({ host: string } | { host: null; network: [ipaddr.IPv4 | ipaddr.IPv6, number] });

/** `[http://]<host, address or network>[:port]`, with brackets around IPv6. */
const TARGET = /^(?<http>http:\/\/)?(?:\[(?<six>[^\]]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;
const HOST_NAME = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** Reads a list with commas. Throws an Error whose message names the faulty item and its fault. */
export function readAllowedTargets(text: string): AllowedTarget[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').map(readTarget);
}

function readTarget(item: string): AllowedTarget {
  const parts = TARGET.exec(item)?.groups;
  const place = parts?.['six'] ?? parts?.['host']?.toLowerCase();
  const port = parts?.['port'] === undefined ? null : Number(parts['port']);
  if (!parts || place === undefined || (port !== null && (port < 1 || port > 65_535))) {
    throw new Error(
      `"${item}" is not like 10.20.0.0/16, http://10.30.0.5:8080, [fd12::/48] or hooks.internal`,
    );
  }
  const common = { port, http: parts['http'] !== undefined };
  const network = networkOf(place);
  if (!network) {
    if (!HOST_NAME.test(place) || /^[\d.]+$/.test(place))
      throw new Error(`"${item}" names no host or network`);
    return { ...common, host: place };
  }
  const kind = addressKind(network[0].toString());
  if (kind !== 'private' && kind !== 'public') {
    throw new Error(`"${item}" cannot be allowed: loopback, link-local and metadata addresses are refused`);
  }
  return { ...common, host: null, network };
}

function networkOf(place: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  if (ipaddr.isValidCIDR(place)) return ipaddr.parseCIDR(place);
  if (!ipaddr.IPv4.isValidFourPartDecimal(place) && !ipaddr.IPv6.isValid(place)) return null;
  const address = ipaddr.parse(place);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
