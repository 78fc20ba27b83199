import type { SessionPrincipal } from '@waymark/contracts';
import { freshCache } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';
import { addressList } from '../http/client-address.ts';

const CREDENTIALS_MAX = 50_000;

/** Verified keys by their SHA-256; null for a key that is unknown, revoked or expired. */
export function keyCache({ call, invalidations, ticks }: Runtime) {
  return freshCache({
    invalidations,
    now: ticks,
    max: CREDENTIALS_MAX,
    async load(hash) {
      const askedTicks = ticks();
      const { principal, allowed_ips, expires_in_ms, tags } = await call('resolveKey', { body: { hash } });
      const value = principal && {
        principal,
        // Null when the key may be used from every address.
        allowedAddresses: allowed_ips.length > 0 ? addressList(allowed_ips) : null,
        endsAtTicks: expires_in_ms === null ? Number.POSITIVE_INFINITY : askedTicks + expires_in_ms,
      };
      return { value, tags };
    },
  });
}

/** Sessions by the SHA-256 of their token; null for a session that is unknown or has ended. */
export function sessionCache({ call, invalidations, ticks }: Runtime) {
  return freshCache({
    invalidations,
    now: ticks,
    max: CREDENTIALS_MAX,
    async load(hash) {
      const askedTicks = ticks();
      const { session, tags } = await call('resolveSession', { body: { hash } });
      if (!session) return { value: null, tags };
      const { expires_in_ms, session_id, user_id, user_name, second_factor } = session;
      const principal: SessionPrincipal = {
        type: 'session',
        session_id,
        user_id,
        user_name,
        ...(second_factor && { second_factor }),
        membership: null,
      };
      return { value: { principal, endsAtTicks: askedTicks + expires_in_ms }, tags };
    },
  });
}
