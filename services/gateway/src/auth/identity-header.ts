import type { IdentityTokens } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { ClientPrincipal } from '../exchange/exchange.ts';

const TOKENS_MAX = 20_000;
/** Half of a token's lifetime: a token that is sent stays valid for at least the other half. */
const REUSE_MS = 30_000;

/** Signs principals for services; all requests of a principal in the same half minute share a token. */
export function identityHeader(identity: IdentityTokens, now: () => number) {
  const tokens = new LRUCache<string, Promise<string>>({ max: TOKENS_MAX });

  return (principal: ClientPrincipal): Promise<string> => {
    // Contains the whole principal, so that changed rights get a new token.
    const key = `${Math.floor(now() / REUSE_MS)} ${JSON.stringify(principal)}`;
    const cached = tokens.get(key);
    if (cached) return cached;
    const signed = identity.sign(principal);
    tokens.set(key, signed);
    return signed;
  };
}
