import { ApiError, hashSecret, isApiKey, type KeyPrincipal, type SessionPrincipal } from '@waymark/contracts';
import type { FreshCache } from '@waymark/service-kit/events';
import { LRUCache } from 'lru-cache';
import { isListed } from '../exchange/client-address.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import type { KnownKey, KnownSession } from './credential-caches.ts';
import { credentialsOf } from './credentials.ts';
import type { KeyUse } from './key-use.ts';

/** Finds out whose request it is; throws UNAUTHORIZED, FORBIDDEN for a foreign address, SERVICE_UNAVAILABLE. */
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
  // Credentials seen to be good: looking them up again is not withheld for what others at the same address do.
  const proven = new LRUCache<string, true>({ max: PROVEN_MAX });
  const count = (kind: string, result: string) => options.metrics.credentialLookups.labels(kind, result);
  const counters = {
    key: { hit: count('key', 'hit'), miss: count('key', 'miss') },
    session: { hit: count('session', 'hit'), miss: count('session', 'miss') },
  };

  /** What is cached; undefined when it has to be looked up. */
  function peek<T extends {}>(kind: 'key' | 'session', cache: FreshCache<T | null>, hash: string) {
    const cached = cache.peek(hash);
    counters[kind][cached === undefined ? 'miss' : 'hit'].inc();
    return cached;
  }

  async function lookUp<T extends {}>(
    cache: FreshCache<T | null>,
    hash: string,
    exchange: Exchange,
  ): Promise<T | null> {
    if (!proven.has(hash)) options.refuseExhausted(exchange);
    const found = await answered(cache.get(hash));
    if (found) proven.set(hash, true);
    return found;
  }

  async function byKey(key: string, exchange: Exchange): Promise<KeyPrincipal> {
    const hash = hashSecret(key);
    let known = peek('key', keys, hash);
    if (known === undefined) {
      if (!isApiKey(key))
        throw new ApiError('UNAUTHORIZED', { message: 'This is not an API key; check for typos.' });
      known = await lookUp(keys, hash, exchange);
    }
    if (!known)
      throw new ApiError('UNAUTHORIZED', { message: 'This API key is unknown, revoked or expired.' });
    if (known.expiresAtMs <= now())
      throw new ApiError('UNAUTHORIZED', { message: 'This API key has expired.' });
    if (known.allowedAddresses && !isListed(known.allowedAddresses, exchange.clientAddress)) {
      throw new ApiError('FORBIDDEN', {
        message: `The address list of this API key does not include ${exchange.clientAddress}.`,
      });
    }
    options.keyUse.note(known.principal.key_id);
    return known.principal;
  }

  async function bySession(token: string, exchange: Exchange): Promise<SessionPrincipal> {
    const hash = hashSecret(token);
    let known = peek('session', sessions, hash);
    if (known === undefined) known = await lookUp(sessions, hash, exchange);
    if (!known || known.expiresAtMs <= now()) {
      throw new ApiError('UNAUTHORIZED', { message: 'This session is over; sign in again.' });
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
    if (credentials.type === 'key') return await byKey(credentials.key, exchange);
    return await bySession(credentials.token, exchange);
  };
}

/** An answer from accounts; whatever keeps it from answering says nothing about the caller, so it is never a 401. */
export async function answered<T>(lookUp: Promise<T>): Promise<T> {
  try {
    return await lookUp;
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  }
}
