import type { KeyObject } from 'node:crypto';
import { limits } from '@waymark/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { derivedSecrets } from './derived-secrets.ts';

/** What a link to set a new password is for. */
export interface ResetSubject {
  id: string;
  email: string;
  password_changed_at: string | null;
}

const ALGORITHM = 'HS256';

/**
 * Signs the links that set a new password with a secret of the first private key; those of all of them
 * verify. A link names the address and the last change of the password, so that it works once: the caller
 * compares both with the account.
 */
export function resetTokens(privateKeys: readonly KeyObject[], now: () => number) {
  const keys = derivedSecrets(privateKeys, 'password reset');
  return {
    sign: ({ id, email, password_changed_at }: ResetSubject) =>
      new SignJWT({ email, changed: password_changed_at })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(id)
        .setExpirationTime(Math.floor(now() / 1_000) + limits.passwordResetSeconds)
        .sign(keys[0]!),

    /** Returns null for a token that this installation did not sign, or that is older than 30 minutes. */
    async verify(token: string): Promise<ResetSubject | null> {
      const options = {
        algorithms: [ALGORITHM],
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp', 'email', 'changed'],
      };
      for (const key of keys) {
        const verified = await jwtVerify(token, key, options).catch(() => null);
        if (!verified) continue;
        const { sub, email, changed } = verified.payload as {
          sub: string;
          email: string;
          changed: string | null;
        };
        return { id: sub, email, password_changed_at: changed };
      }
      return null;
    },
  };
}
