import type { IdentityTokens } from '@waymark/service-kit';
import { LRUCache } from 'lru-cache';
import type { ClientPrincipal } from './exchange.ts';

const TOKENS_MAX = 20_000;
/** Half of a token's life: what is sent is valid for as long again. */
const REUSE_MS = 30_000;

/** Signed tokens for principals, made once for all requests of half a minute. */
export function identityHeader(
  identity: IdentityTokens,
  now: () => number,
): (principal: ClientPrincipal) => Promise<string> {
  const tokens = new LRUCache<string, { token: Promise<string>; signedAtMs: number }>({ max: TOKENS_MAX });
  return (principal) => {
    // The whole principal is the key: other rights are another token.
    const text = JSON.stringify(principal);
    const known = tokens.get(text);
    if (known && Math.abs(now() - known.signedAtMs) < REUSE_MS) return known.token;
    const token = identity.sign(principal);
    tokens.set(text, { token, signedAtMs: now() });
    return token;
  };
}
