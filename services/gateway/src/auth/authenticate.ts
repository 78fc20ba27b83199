import {
  ApiError,
  hashSecret,
  isAccessToken,
  isApiKey,
  type KeyPrincipal,
  mcpEndpoint,
  type Operation,
  type SessionPrincipal,
} from '@waymark/contracts';
import type { FreshCache } from '@waymark/service-kit/events';
import { checkForRestrictedKey } from '@waymark/service-kit/http';
import { boundedCache } from '@waymark/service-kit/jobs';
import type { Runtime } from '@waymark/service-kit/runtime';
import type { Request } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { isListed } from '../http/client-address.ts';
import { cookieValue } from '../http/cookie.ts';
import { countHeader } from '../http/request-line.ts';
import type { GatewayResponse, Middleware } from '../request-state.ts';
import { keyCache, sessionCache } from './credential-caches.ts';
import type { KeyUse } from './key-use.ts';

/** Returns the caller; throws UNAUTHORIZED, FORBIDDEN for a disallowed address, SERVICE_UNAVAILABLE. */
export type Authenticate = (response: GatewayResponse) => Promise<KeyPrincipal | SessionPrincipal>;

const ANONYMOUS = { type: 'anonymous' } as const;
const PROVEN_MAX = 50_000;
const BEARER = /^bearer +([^\s]+)$/i;

/** The operations without credentials. The service of a feed checks the token in its URL. */
const needsNoCredentials = ({ caller }: Operation) => caller === 'everyone' || caller === 'feed';

/**
 * Finds the caller. Throws UNAUTHORIZED and FORBIDDEN, for an operation only: a path without one is refused
 * later, and charged to the caller if the credentials are valid.
 */
export function authenticate(identify: Authenticate): Middleware {
  return async (_, response, next) => {
    const { locals } = response;
    if (locals.operation && needsNoCredentials(locals.operation)) locals.principal = ANONYMOUS;
    else if (locals.operation) locals.principal = await identify(response);
    else
      locals.principal = await identify(response).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error;
        return null;
      });
    next();
  };
}

export function authenticator(
  runtime: Runtime,
  options: {
    cookieName: string;
    keyUse: KeyUse;
    /** Throws RATE_LIMITED for an address that has used up its bucket. */
    refuseExhausted: (response: GatewayResponse) => void;
    metrics: GatewayMetrics;
  },
): Authenticate {
  const { ticks } = runtime;
  const keys = keyCache(runtime);
  const sessions = sessionCache(runtime);
  // Credentials that were valid before are looked up even when the bucket of their address is used up.
  const proven = boundedCache<string, true>(PROVEN_MAX);

  async function find<T extends {}>(
    kind: 'key' | 'session',
    cache: FreshCache<T | null>,
    secret: string,
    response: GatewayResponse,
  ): Promise<T | null> {
    const hash = hashSecret(secret);
    const cached = cache.peek(hash);
    options.metrics.credentialLookups.inc({ kind, result: cached === undefined ? 'miss' : 'hit' });
    if (cached !== undefined) return cached;
    if (kind === 'key' && !isApiKey(secret) && !isAccessToken(secret))
      throw refusedToken('This is not an API key; check for typos.');
    if (!proven.has(hash)) options.refuseExhausted(response);
    const found = await fromAccounts(cache.get(hash));
    if (found) proven.set(hash, true);
    return found;
  }

  async function byKey(key: string, response: GatewayResponse): Promise<KeyPrincipal> {
    const { clientAddress, operation, via } = response.locals;
    // The tools of the MCP server call operations with the token of its client.
    if (isAccessToken(key) && operation !== mcpEndpoint && !via)
      throw refusedToken('This token is for the MCP server only; use an API key here.');
    const known = await find('key', keys, key, response);
    if (!known) throw refusedToken('This API key is unknown, revoked or expired.');
    if (known.endsAtTicks <= ticks()) throw refusedToken('This API key has expired.');
    if (known.allowedAddresses && !isListed(known.allowedAddresses, clientAddress)) {
      throw new ApiError('FORBIDDEN', {
        reason: 'ip_not_allowed',
        message: `The address list of this API key does not include ${clientAddress}.`,
      });
    }
    const isRestricted = known.allowedAddresses !== null || Number.isFinite(known.endsAtTicks);
    // Other keys change no settings, and authorization says so.
    if (operation && known.principal.service_account && isRestricted) checkForRestrictedKey(operation);
    options.keyUse.note(known.principal.key_id);
    if (!known.principal.settings_until || known.settingsEndTicks > ticks()) return known.principal;
    const { settings_until: _, ...principal } = known.principal;
    return principal;
  }

  async function identify(response: GatewayResponse): Promise<KeyPrincipal | SessionPrincipal> {
    const { authorization, 'x-api-key': apiKey, cookie = '' } = response.req.headers;
    // A key takes precedence over a cookie; credentials in the URL are ignored.
    if (authorization !== undefined || apiKey !== undefined) return byKey(keyIn(response.req), response);
    const token = cookieValue(cookie, options.cookieName);
    if (token === null) throw new ApiError('UNAUTHORIZED');
    const known = await find('session', sessions, token, response);
    if (!known || known.endsAtTicks <= ticks())
      throw new ApiError('UNAUTHORIZED', { message: 'Your session has expired. Sign in again.' });
    return known.principal;
  }

  return async (response) => {
    const { via } = response.locals;
    const principal = await identify(response);
    return via ? { ...principal, via } : principal;
  };
}

/** Throws UNAUTHORIZED for two different keys and for an Authorization header without a key. */
function keyIn(request: Request): string {
  const { authorization, 'x-api-key': apiKey } = request.headers;
  if (authorization === undefined) return String(apiKey);
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined || countHeader(request, 'authorization') > 1) {
    throw refusedToken(
      'The Authorization header is not "Bearer <key>"; send one API key that way, or as X-Api-Key.',
    );
  }
  if (apiKey !== undefined && apiKey !== bearer) {
    throw refusedToken('Authorization and X-Api-Key hold different keys; send one key.');
  }
  return bearer;
}

const refusedToken = (message: string) => new ApiError('UNAUTHORIZED', { message, isTokenRefused: true });

/** Returns a response of accounts. Every failure is a 503, because it says nothing about the caller. */
export async function fromAccounts<T>(lookUp: Promise<T>): Promise<T> {
  try {
    return await lookUp;
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  }
}
