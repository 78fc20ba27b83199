import { createPublicKey, type KeyObject } from 'node:crypto';
import { ApiError, Principal, type ServiceName } from '@waymark/contracts';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { boundedCache } from '../jobs/bounded-cache.ts';
import { EnvironmentError } from '../process/environment.ts';
import type { IdentityPublicKeys } from '../process/identity-keys.ts';

const ALGORITHM = 'EdDSA';
/** Lifetime of a token. A token outlives the cached principal that it is made from by less than a minute. */
export const IDENTITY_TOKEN_SECONDS = 60;
/** Half of the lifetime: a token that is sent stays valid for at least the other half. */
const REUSE_MS = 30_000;
const TOKENS_MAX = 20_000;
/** A gateway whose clock is ahead continues to work. A token from beyond that would be valid for ever. */
const AHEAD_MAX_MS = 24 * 3_600_000;

export type IdentityTokens = ReturnType<typeof identityTokens>;

/**
 * Signs and verifies the caller identity between processes: a JWT (RFC 7519) with Ed25519, for one audience.
 * The first private key signs. The gateway may sign any caller, every other service only itself.
 */
export function identityTokens(options: {
  service: ServiceName;
  privateKeys: readonly KeyObject[];
  publicKeys: IdentityPublicKeys;
  now?: () => number;
  /** The earliest of this process's clocks, so that a token is valid while one of them says so. */
  earliestNow?: () => number;
}) {
  const { service, publicKeys, now = Date.now, earliestNow = now } = options;
  const privateKey = options.privateKeys[0]!;
  const publicKey = createPublicKey(privateKey);
  if (!publicKeys.get(service)?.some((key) => key.equals(publicKey)))
    throw new EnvironmentError(
      `IDENTITY_PUBLIC_KEYS, the same in every service, lacks the key of ${service} in its IDENTITY_PRIVATE_KEYS`,
    );
  const signed = boundedCache<string, Promise<string>>(TOKENS_MAX);
  const verified = boundedCache<string, { principal: Principal; expiresAtMs: number }>(TOKENS_MAX);

  async function check(token: string): Promise<Principal> {
    const issuer = issuerOf(token);
    const keys = publicKeys.get(issuer);
    let why = keys ? 'no key of the caller verifies it' : 'IDENTITY_PUBLIC_KEYS has no key of the caller';
    for (const key of keys ?? []) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          audience: service,
          requiredClaims: ['iat', 'exp'],
          currentDate: new Date(earliestNow()),
        });
        why = 'it is valid for too long, or for what its caller may not be';
        if (payload.exp! - payload.iat! > IDENTITY_TOKEN_SECONDS) break;
        if (payload.iat! * 1_000 > now() + AHEAD_MAX_MS) throw new ApiError('SERVICE_UNAVAILABLE');
        const principal = Principal.parse(payload['principal']);
        const isOwn = principal.type === 'service' ? principal.service === issuer : issuer === 'gateway';
        if (!isOwn) break;
        verified.set(token, { principal, expiresAtMs: payload.exp! * 1000 });
        return principal;
      } catch (error) {
        // Senders replace tokens long before they expire: two clocks differ, which is no fault of the caller.
        if (error instanceof errors.JWTExpired) throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
        if (error instanceof ApiError) throw error;
        if (error instanceof errors.JWTClaimValidationFailed) why = `its claim ${error.claim} is wrong`;
        // The token is invalid or signed with another key of the issuer; the next key decides.
      }
    }
    const message = 'The caller’s identity is not signed; call through the gateway.';
    throw new ApiError('UNAUTHORIZED', { message, cause: new Error(why) });
  }

  return {
    /** Returns a token that `audience` accepts. All calls of a principal in a half minute share one. */
    sign(principal: Principal, audience: ServiceName): Promise<string> {
      // Contains the whole principal, so that changed rights get a new token.
      const key = `${Math.floor(now() / REUSE_MS)} ${audience} ${JSON.stringify(principal)}`;
      const known = signed.get(key);
      if (known) return known;
      const issuedAt = Math.floor(now() / 1000);
      const token = new SignJWT({ principal })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(service)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + IDENTITY_TOKEN_SECONDS)
        .sign(privateKey);
      signed.set(key, token);
      return token;
    },
    /** Throws UNAUTHORIZED for a missing or forged token, SERVICE_UNAVAILABLE for an expired one. */
    async verify(token = ''): Promise<Principal> {
      const known = verified.get(token);
      return known && known.expiresAtMs > earliestNow() ? known.principal : check(token);
    },
  };
}

/** The issuer that a token claims; the keys of that issuer decide. */
export function issuerOf(token: string): string {
  try {
    return String(decodeJwt(token).iss);
  } catch {
    return '';
  }
}
