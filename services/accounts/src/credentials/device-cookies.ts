import { type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { derivedSecrets } from './derived-secrets.ts';

export const DEVICE_SECONDS = 365 * 86_400;
const ALGORITHM = 'HS256';

/**
 * Signs the cookies by which a browser shows that a user signed in there before (OWASP, "device cookies"),
 * with a secret of the first private key; those of all of them verify.
 */
export function deviceCookies(privateKeys: readonly KeyObject[], now: () => number) {
  const keys = derivedSecrets(privateKeys, 'device cookie');
  return {
    sign: (userId: string) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(userId)
        .setJti(randomUUID())
        .setExpirationTime(Math.floor(now() / 1_000) + DEVICE_SECONDS)
        .sign(keys[0]!),

    /** Returns the id of the browser; null unless the cookie shows that this user signed in there. */
    async deviceOf(cookie: string | undefined, userId: string | undefined): Promise<string | null> {
      if (cookie === undefined || userId === undefined) return null;
      const options = {
        algorithms: [ALGORITHM],
        subject: userId,
        currentDate: new Date(now()),
        requiredClaims: ['jti', 'exp'],
      };
      for (const key of keys) {
        const verified = await jwtVerify(cookie, key, options).catch(() => null);
        if (verified) return verified.payload.jti!;
      }
      return null;
    },
  };
}
