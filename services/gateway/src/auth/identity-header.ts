import type { IdentityTokens } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { ClientPrincipal } from '../exchange/exchange.ts';

const TOKENS_MAX = 20_000;
/** Half of a token's lifetime: a token that is sent stays valid for at least the other half. */
const REUSE_MS = 30_000;

interface Signed {
  token: Promise<string>;
  signedAtMs: number;
}

/** Signs principals for services; all requests of the same principal within half a minute share a token. */
export function identityHeader(
  identity: IdentityTokens,
  now: () => number,
): (principal: ClientPrincipal) => Promise<string> {
  // The whole principal is the key, so that changed rights get a new token.
  const cache = new LRUCache<string, Signed>({ max: TOKENS_MAX });

  return (principal) => {
    const key = JSON.stringify(principal);
    const cached = cache.get(key);
    if (cached && Math.abs(now() - cached.signedAtMs) < REUSE_MS) return cached.token;
    const signed = { token: identity.sign(principal), signedAtMs: now() };
    cache.set(key, signed);
    return signed.token;
  };
}
