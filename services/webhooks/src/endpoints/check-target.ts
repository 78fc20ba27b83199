import { invalid } from '@waymark/contracts';
import { literalAddress } from './address.ts';
import type { ResolveHost } from './resolve-host.ts';
import { isAllowedAddress, type TargetRules, targetFault } from './target.ts';

/**
 * Throws VALIDATION_ERROR for a URL that cannot be delivered to, and names the reason. A name that does not
 * resolve yet is accepted; each attempt checks its addresses again.
 */
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
