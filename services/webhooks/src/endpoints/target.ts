import { invalid } from '@waymark/contracts';
import { addressKind, isLocalName, literalAddress } from './address.ts';
import type { ResolveHost } from './resolve-host.ts';

export interface TargetRules {
  /** Allows receivers on this machine and plain http, for trying things out. */
  allowLoopback: boolean;
  /** Allowed ports of endpoints that are not on loopback. */
  ports: readonly number[];
}

const LOOPBACK_PORT_MIN = 1024;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

export function isAllowedAddress(address: string, rules: TargetRules): boolean {
  const kind = addressKind(address);
  return kind === 'public' || (kind === 'loopback' && rules.allowLoopback);
}

/** Returns what is wrong with an endpoint's URL, without resolving its name; null when nothing is. */
export function targetFault(text: string, rules: TargetRules): string | null {
  if (!URL.canParse(text)) return 'must be a URL, like https://example.com/webhooks';
  const url = new URL(text);
  const schemes = rules.allowLoopback ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return `must begin with ${schemes.map((s) => `${s}//`).join(' or ')}`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const literal = literalAddress(url.hostname);
  const isLoopback = literal ? addressKind(literal) === 'loopback' : isLocalName(url.hostname);
  if (isLoopback && !rules.allowLoopback) return 'must be a public address, not this machine';
  if (literal && !isAllowedAddress(literal, rules))
    return 'must be a public address; this one is private or reserved';
  const port = Number(url.port || DEFAULT_PORTS[url.protocol]);
  const isPortAllowed =
    rules.ports.includes(port) || (isLoopback && (port >= LOOPBACK_PORT_MIN || port === 80));
  if (!isPortAllowed) return `must use one of the ports ${rules.ports.join(', ')}`;
  if (url.protocol === 'http:' && !isLoopback) return 'must begin with https://';
  return null;
}

/** Throws VALIDATION_ERROR for a URL that cannot be delivered to, but not for an unknown name. */
export async function checkTarget(url: string, rules: TargetRules, resolveHost: ResolveHost): Promise<void> {
  const fault = targetFault(url, rules);
  if (fault) throw invalid('url', fault);
  const { hostname } = new URL(url);
  if (literalAddress(hostname)) return;
  const addresses = await resolveHost(hostname).catch(() => []);
  if (!addresses.every((address) => isAllowedAddress(address, rules))) {
    throw invalid('url', 'must be a public address; this name resolves to one that is private or reserved');
  }
}
