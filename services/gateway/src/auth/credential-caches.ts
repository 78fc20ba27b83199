import type { BlockList } from 'node:net';
import type { KeyPrincipal } from '@waymark/contracts';
import { type FreshCache, freshCache } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';
import { addressList } from '../exchange/client-address.ts';

export interface KnownKey {
  principal: KeyPrincipal;
  /** Null when the key may be used from every address. */
  allowedAddresses: BlockList | null;
  expiresAtMs: number;
}

export interface KnownSession {
  sessionId: string;
  userId: string;
  userName: string;
  expiresAtMs: number;
}

const KEYS_MAX = 50_000;
const SESSIONS_MAX = 50_000;

/** Verified keys by their SHA-256; null for a key that is unknown, revoked or expired. */
export function keyCache({ call, invalidations, now }: Runtime): FreshCache<KnownKey | null> {
  return freshCache<KnownKey | null>({
    invalidations,
    now,
    max: KEYS_MAX,
    async load(hash) {
      const { principal, allowed_ips, expires_at, tags } = await call('resolveKey', { body: { hash } });
      const value = principal && {
        principal,
        allowedAddresses: allowed_ips.length > 0 ? addressList(allowed_ips) : null,
        expiresAtMs: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
      };
      return { value, tags };
    },
  });
}

/** Sessions by the SHA-256 of their token; null for a session that is unknown or has ended. */
export function sessionCache({ call, invalidations, now }: Runtime): FreshCache<KnownSession | null> {
  return freshCache<KnownSession | null>({
    invalidations,
    now,
    max: SESSIONS_MAX,
    async load(hash) {
      const { session, tags } = await call('resolveSession', { body: { hash } });
      const value = session && {
        sessionId: session.session_id,
        userId: session.user_id,
        userName: session.user_name,
        expiresAtMs: Date.parse(session.expires_at),
      };
      return { value, tags };
    },
  });
}
