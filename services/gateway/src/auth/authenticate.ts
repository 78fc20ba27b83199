import { ApiError, hashSecret, isApiKey, type KeyPrincipal, type SessionPrincipal } from '@waymark/contracts';
import type { FreshCache } from '@waymark/service-kit/events';
import { LRUCache } from 'lru-cache';
import { isListed } from '../exchange/client-address.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import type { KnownKey, KnownSession } from './credential-caches.ts';
import { credentialsOf } from './credentials.ts';
import type { KeyUse } from './key-use.ts';

/** Returns the caller; throws UNAUTHORIZED, FORBIDDEN for a disallowed address, SERVICE_UNAVAILABLE. */
export type Authenticate = (exchange: Exchange) => Promise<KeyPrincipal | SessionPrincipal>;

const PROVEN_MAX = 50_000;

export function authenticator(options: {
  keys: FreshCache<KnownKey | null>;
  sessions: FreshCache<KnownSession | null>;
  cookieName: string;
  keyUse: KeyUse;
  /** Throws RATE_LIMITED for an address that has used up its bucket. */
  refuseExhausted: (exchange: Exchange) => void;
  metrics: GatewayMetrics;
  now: () => number;
}): Authenticate {
  const { keys, sessions, now } = options;
  const { credentialLookups } = options.metrics;
  // Valid credentials are looked up again even when others have used up the bucket of the same address.
  const proven = new LRUCache<string, true>({ max: PROVEN_MAX });

  /** Returns the cached value, or else asks accounts. Runs `check` before it asks. */
  async function find<T extends {}>(
    kind: 'key' | 'session',
    cache: FreshCache<T | null>,
    { secret, exchange, check }: { secret: string; exchange: Exchange; check?: () => void },
  ): Promise<T | null> {
    const hash = hashSecret(secret);
    const cached = cache.peek(hash);
    credentialLookups.inc({ kind, result: cached === undefined ? 'miss' : 'hit' });
    if (cached !== undefined) return cached;
    check?.();
    if (!proven.has(hash)) options.refuseExhausted(exchange);
    const found = await fromAccounts(cache.get(hash));
    if (found) proven.set(hash, true);
    return found;
  }

  async function byKey(key: string, exchange: Exchange): Promise<KeyPrincipal> {
    const check = () => {
      if (!isApiKey(key)) throw unauthorized('This is not an API key; check for typos.');
    };
    const known = await find('key', keys, { secret: key, exchange, check });
    if (!known) throw unauthorized('This API key is unknown, revoked or expired.');
    if (known.expiresAtMs <= now()) throw unauthorized('This API key has expired.');
    if (known.allowedAddresses && !isListed(known.allowedAddresses, exchange.clientAddress)) {
      throw new ApiError('FORBIDDEN', {
        message: `The address list of this API key does not include ${exchange.clientAddress}.`,
      });
    }
    options.keyUse.note(known.principal.key_id);
    return known.principal;
  }

  async function bySession(token: string, exchange: Exchange): Promise<SessionPrincipal> {
    const known = await find('session', sessions, { secret: token, exchange });
    if (!known || known.expiresAtMs <= now()) {
      throw unauthorized('Your session has expired. Sign in again.');
    }
    return {
      type: 'session',
      session_id: known.sessionId,
      user_id: known.userId,
      user_name: known.userName,
      membership: null,
    };
  }

  return async (exchange) => {
    const credentials = credentialsOf(exchange.request, options.cookieName);
    if (!credentials) throw new ApiError('UNAUTHORIZED');
    if (credentials.type === 'key') return byKey(credentials.key, exchange);
    return bySession(credentials.token, exchange);
  };
}

const unauthorized = (message: string) => new ApiError('UNAUTHORIZED', { message });

/**
 * Returns an answer from accounts. Every failure is a 503, never a 401, because it says nothing about the
 * caller.
 */
export async function fromAccounts<T>(lookUp: Promise<T>): Promise<T> {
  try {
    return await lookUp;
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  }
}
