import type { SessionPrincipal } from '@waymark/contracts';
import { freshCache, type Loaded } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';
import { addressList } from '../http/client-address.ts';

const CREDENTIALS_MAX = 50_000;

/** `load` gets the ticks at which it asks: answers say how long something still lasts. */
const credentialCache = <T extends object | null>(
  { invalidations, ticks }: Runtime,
  load: (hash: string, askedTicks: number) => Promise<Loaded<T>>,
) =>
  freshCache<T>({
    ...{ invalidations, now: ticks, max: CREDENTIALS_MAX },
    load: (hash) => load(hash, ticks()),
  });

/** Verified keys by their SHA-256; null for a key that is unknown, revoked or expired. */
export const keyCache = (runtime: Runtime) =>
  credentialCache(runtime, async (hash, askedTicks) => {
    const { principal, allowed_ips, expires_in_ms, settings_in_ms, tags } = await runtime.call('resolveKey', {
      body: { hash },
    });
    const value = principal && {
      principal,
      // Null when the key may be used from every address.
      allowedAddresses: allowed_ips.length > 0 ? addressList(allowed_ips) : null,
      endsAtTicks: expires_in_ms === null ? Number.POSITIVE_INFINITY : askedTicks + expires_in_ms,
      settingsEndTicks: askedTicks + (settings_in_ms ?? 0),
    };
    return { value, tags };
  });

/** Sessions by the SHA-256 of their token; null for a session that is unknown or has ended. */
export const sessionCache = (runtime: Runtime) =>
  credentialCache(runtime, async (hash, askedTicks) => {
    const { session, tags } = await runtime.call('resolveSession', { body: { hash } });
    if (!session) return { value: null, tags };
    const { expires_in_ms, ...known } = session;
    const principal: SessionPrincipal = { type: 'session', ...known, membership: null };
    return { value: { principal, endsAtTicks: askedTicks + expires_in_ms }, tags };
  });
