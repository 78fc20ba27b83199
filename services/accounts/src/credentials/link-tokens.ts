import type { KeyObject } from 'node:crypto';
import { limits } from '@waymark/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { derivedSecrets } from './derived-secrets.ts';

/** The state of the account that a mailed link is for. */
export interface LinkSubject {
  id: string;
  email: string;
  password_changed_at: string | null;
}

export interface MailedLink extends LinkSubject {
  /** The address to confirm, if the link is for one. */
  new_email?: string | undefined;
}

const ALGORITHM = 'HS256';

/**
 * Signs mailed links for one purpose with a secret of the first private key; those of all of them verify. A
 * link names the address and the last change of the password. Each purpose changes one of them, so that a
 * link works once: the caller compares both with the account.
 */
export function linkTokens(privateKeys: readonly KeyObject[], purpose: string, now: () => number) {
  const keys = derivedSecrets(privateKeys, purpose);
  return {
    sign: ({ id, email, password_changed_at: changed }: LinkSubject, new_email?: string) =>
      new SignJWT({ email, changed, ...(new_email !== undefined && { new_email }) })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(id)
        .setExpirationTime(Math.floor(now() / 1_000) + limits.mailedLinkSeconds)
        .sign(keys[0]!),

    /** Returns null for a token that this installation did not sign, or that is older than 30 minutes. */
    async verify(token: string): Promise<MailedLink | null> {
      const options = {
        algorithms: [ALGORITHM],
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp', 'email', 'changed'],
      };
      for (const key of keys) {
        const verified = await jwtVerify<{ email: string; changed: string | null; new_email?: string }>(
          token,
          key,
          options,
        ).catch(() => null);
        if (!verified) continue;
        const { sub, email, changed, new_email } = verified.payload;
        return { id: sub!, email, password_changed_at: changed, new_email };
      }
      return null;
    },
  };
}

/** Returns whether the account is still as it was when the link was signed. */
export const isCurrent = (link: LinkSubject, { email, password_changed_at }: LinkSubject) =>
  link.email === email && link.password_changed_at === password_changed_at;
