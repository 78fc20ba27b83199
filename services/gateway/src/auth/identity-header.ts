import type { IdentityTokens } from '@waymark/service-kit/http';
import { LRUCache } from 'lru-cache';
import type { ClientPrincipal } from '../exchange/exchange.ts';

const TOKENS_MAX = 20_000;
/** Half of a token's life: what is sent is valid for as long again. */
const REUSE_MS = 30_000;

interface Signed {
  token: Promise<string>;
  signedAtMs: number;
}

/** Signed tokens for principals, made once for all requests of half a minute. */
export function identityHeader(
  identity: IdentityTokens,
  now: () => number,
): (principal: ClientPrincipal) => Promise<string> {
  // The whole principal is the key: other rights are another token.
  const ofText = new LRUCache<string, Signed>({ max: TOKENS_MAX });
  // A key's principal is one object for as long as it is cached, and need not be written out again.
  const ofKeys = new WeakMap<ClientPrincipal, Signed>();
  const isFresh = (signed: Signed) => Math.abs(now() - signed.signedAtMs) < REUSE_MS;

  return (principal) => {
    const last = ofKeys.get(principal);
    if (last && isFresh(last)) return last.token;
    const text = JSON.stringify(principal);
    let signed = ofText.get(text);
    if (!signed || !isFresh(signed)) {
      signed = { token: identity.sign(principal), signedAtMs: now() };
      ofText.set(text, signed);
    }
    if (principal.type === 'api_key') ofKeys.set(principal, signed);
    return signed.token;
  };
}
