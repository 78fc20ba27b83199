import { invalid } from '@waymark/contracts';
import { literalAddress } from './address.ts';
import type { ResolveHost } from './resolve-host.ts';
import { isAllowedAddress, type TargetRules, targetFault } from './target.ts';

/**
 * Refuses a URL that could not be delivered to, naming what is wrong. A name that resolves to an address that is not
 * public is refused now; one that does not resolve may yet come, and each attempt checks again.
 */
export function targetChecker(rules: TargetRules, resolveHost: ResolveHost): (url: string) => Promise<void> {
  return async (url) => {
    const fault = targetFault(url, rules);
    if (fault) throw invalid('url', fault);
    const { hostname } = new URL(url);
    if (literalAddress(hostname)) return;
    const addresses = await resolveHost(hostname).catch(() => []);
    if (!addresses.every((address) => isAllowedAddress(address, rules))) {
      throw invalid('url', 'must be a public address; this name resolves to one that is private or reserved');
    }
  };
}
