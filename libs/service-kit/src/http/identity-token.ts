import { ApiError, Principal } from '@waymark/contracts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const ISSUER = 'waymark';
/** Lifetime of a token. A token outlives the cached principal that it is made from by less than a minute. */
export const IDENTITY_TOKEN_SECONDS = 60;

export type IdentityTokens = ReturnType<typeof identityTokens>;

/**
 * Signs and verifies the caller identity between processes: a JWT (RFC 7519) with HS256, valid for 60
 * seconds. The first secret signs and all verify. Verified tokens are cached until they expire.
 */
export function identityTokens(secrets: readonly string[], now: () => number = Date.now) {
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  const signed = new WeakMap<Principal, { expiresAt: number; token: Promise<string> }>();
  const verified = new LRUCache<string, { principal: Principal; expiresAtMs: number }>({ max: 5_000 });

  async function check(token: string): Promise<Principal> {
    for (const key of keys) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          requiredClaims: ['exp'],
          currentDate: new Date(now()),
        });
        const principal = Principal.parse(payload['principal']);
        verified.set(token, { principal, expiresAtMs: payload.exp! * 1000 });
        return principal;
      } catch (error) {
        if (isOutsideItsTime(error)) throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
        // The token is invalid or signed with another secret; the next secret decides.
      }
    }
    const message = 'The caller’s identity is not signed; call through the gateway.';
    throw new ApiError('UNAUTHORIZED', { message });
  }

  return {
    sign(principal: Principal): Promise<string> {
      const expiresAt = Math.floor(now() / 1000) + IDENTITY_TOKEN_SECONDS;
      // Calls within a second share a token: a service may call another hundreds of times a second.
      const known = signed.get(principal);
      if (known?.expiresAt === expiresAt) return known.token;
      const token = new SignJWT({ principal })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setExpirationTime(expiresAt)
        .sign(keys[0]!);
      signed.set(principal, { expiresAt, token });
      return token;
    },
    /** Throws UNAUTHORIZED for a missing or forged token, SERVICE_UNAVAILABLE for an expired one. */
    async verify(token = ''): Promise<Principal> {
      const known = verified.get(token);
      return known && known.expiresAtMs > now() ? known.principal : check(token);
    },
  };
}

/**
 * Reports whether a token with a valid signature was refused for its time. Senders replace tokens long before
 * they expire, so the clocks of two machines differ: that is no fault of the caller and must not be a 401.
 */
function isOutsideItsTime(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true;
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf';
}
