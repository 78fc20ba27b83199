import { invalid } from '@waymark/contracts';
import ipaddr from 'ipaddr.js';
import { addressKind, isLocalName, literalAddress } from './address.ts';
import type { AllowedTarget } from './allowed-targets.ts';

export interface TargetRules {
  /** Allows receivers on this machine and plain http, for trying things out. */
  allowLoopback: boolean;
  /** Allowed ports of endpoints that are not on loopback. */
  ports: readonly number[];
  /** The targets that the operator allows in addition to public addresses. */
  allowed: readonly AllowedTarget[];
}

const LOOPBACK_PORT_MIN = 1024;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
const portOf = (url: URL) => Number(url.port || DEFAULT_PORTS[url.protocol]);

/** Whether a request for `url`, which has no fault, may connect to `address`. */
export function mayConnect(url: URL, address: string, rules: TargetRules): boolean {
  const kind = addressKind(address);
  if (kind === 'refused') return false;
  if (kind === 'loopback') return rules.allowLoopback;
  if (kind === 'public' && publicFault(url, rules) === null) return true;
  return rules.allowed.some((target) => {
    if (!fits(target, url, rules)) return false;
    if (target.host !== null) return target.host === url.hostname;
    const parsed = ipaddr.parse(address);
    return parsed.kind() === target.network[0].kind() && parsed.match(target.network);
  });
}

/** Returns the fault of an endpoint's URL, or null. Does not resolve its name. */
export function targetFault(text: string, rules: TargetRules): string | null {
  if (!URL.canParse(text)) return 'must be a URL, like https://example.com/webhooks';
  const url = new URL(text);
  const maybeHttp = rules.allowLoopback || rules.allowed.some(({ http }) => http);
  const schemes = maybeHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return `must begin with ${schemes.map((s) => `${s}//`).join(' or ')}`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const literal = literalAddress(url.hostname);
  const kind = literal ? addressKind(literal) : isLocalName(url.hostname) ? 'loopback' : null;
  if (kind === 'loopback') return loopbackFault(url, rules);
  if (literal && mayConnect(url, literal, rules)) return null;
  if (literal && kind !== 'public') return 'must be a public address; this one is private or reserved';
  // A name may resolve to an address of a listed network: each attempt checks the address.
  const isOnList = ({ host }: AllowedTarget) => host === null || host === url.hostname;
  if (!literal && rules.allowed.some((target) => fits(target, url, rules) && isOnList(target))) return null;
  return publicFault(url, rules);
}

/** Throws VALIDATION_ERROR for a URL that no attempt may use. Each attempt checks the address of its name. */
export function checkTarget(url: string, rules: TargetRules): void {
  const fault = targetFault(url, rules);
  if (fault) throw invalid('url', fault);
}

/** Whether the operator names this host or address, so that an egress proxy is not needed for it. */
export function isListed(url: URL, rules: TargetRules): boolean {
  const literal = literalAddress(url.hostname);
  if (isLocalName(url.hostname) || (literal && addressKind(literal) === 'loopback')) return true;
  if (literal) return publicFault(url, rules) !== null || addressKind(literal) !== 'public';
  return rules.allowed.some((target) => target.host === url.hostname && fits(target, url, rules));
}

/** Whether the scheme and the port of a URL fit an allowed target. */
function fits({ http, port }: AllowedTarget, url: URL, { ports }: TargetRules): boolean {
  if (url.protocol === 'http:' && !http) return false;
  if (port !== null) return port === portOf(url);
  return ports.includes(portOf(url)) || (http && portOf(url) === 80);
}

function loopbackFault(url: URL, { allowLoopback, ports }: TargetRules): string | null {
  if (!allowLoopback) return 'must be a public address, not this machine';
  const port = portOf(url);
  return ports.includes(port) || port >= LOOPBACK_PORT_MIN || port === 80 ? null : portFault(ports);
}

function publicFault(url: URL, { ports }: TargetRules): string | null {
  if (!ports.includes(portOf(url))) return portFault(ports);
  return url.protocol === 'https:' ? null : 'must begin with https://';
}

const portFault = (ports: readonly number[]) => `must use one of the ports ${ports.join(', ')}`;
