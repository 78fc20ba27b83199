import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { hashSecret, limits, Unsubscribed } from '@waymark/contracts';
import { z } from 'zod';
import { derivedSecrets } from './derived-secrets.ts';
import { signedTokens } from './tokens.ts';

/** The state of the account that a mailed link is for. */
export interface LinkSubject {
  id: string;
  email: string;
  password_changed_at: string | null;
}

const Link = z.object({
  sub: z.string(),
  email: z.string(),
  /** The last change of the password. */
  changed: z.string().nullable(),
  /** The address to confirm, if the link is for one. */
  new_email: z.string().optional(),
});

/**
 * Signs mailed links for one purpose. A link names the address and the last change of the password. Each
 * purpose changes one of them, so that a link works once: the caller compares both with the account.
 */
export function linkTokens(privateKeys: readonly KeyObject[], purpose: string, now: () => number) {
  const kind = { purpose, schema: Link, seconds: limits.mailedLinkSeconds };
  const tokens = signedTokens(privateKeys, kind, now);
  return {
    sign: ({ id: sub, email, password_changed_at: changed }: LinkSubject, new_email?: string) =>
      tokens.sign({ sub, email, changed, new_email }),

    /** Returns null for a token that this installation did not sign, or that is older than 30 minutes. */
    async verify(token: string) {
      const link = await tokens.verify(token);
      if (!link) return null;
      const { sub: id, email, changed: password_changed_at, new_email } = link;
      return { id, email, password_changed_at, new_email };
    },
  };
}

/** Returns whether the account is still as it was when the link was signed. */
export const isCurrent = (link: LinkSubject, { email, password_changed_at }: LinkSubject) =>
  link.email === email && link.password_changed_at === password_changed_at;

/** Derives the token of an invitation from its id, so that no mail that waits contains it. */
export function invitationTokens(privateKeys: readonly KeyObject[]) {
  const derivations = derivedSecrets(privateKeys, 'invitation').map(
    (key) => (id: string) => `wmi_${createHmac('sha256', key).update(id).digest('base64url')}`,
  );
  return {
    create: (id: string) => derivations[0]!(id),

    /** Returns null when the key that it was derived from is retired. */
    find: (id: string, hash: string) =>
      derivations.map((derive) => derive(id)).find((token) => hashSecret(token) === hash) ?? null,
  };
}

/** Signs the kind of mails that a link ends. A token has no end: old mails must be able to end new ones. */
export function unsubscribeTokens(privateKeys: readonly KeyObject[]) {
  const keys = derivedSecrets(privateKeys, 'unsubscribe');
  const signed = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return {
    sign: (userId: string, kind: Unsubscribed) =>
      `${userId}.${kind}.${signed(keys[0]!, `${userId}.${kind}`).toString('base64url')}`,

    /** Returns null for a token that this installation did not sign. */
    verify(token: string): { userId: string; unsubscribed: Unsubscribed } | null {
      const [userId = '', kind = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some((key) => {
        const expected = signed(key, `${userId}.${kind}`);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      const unsubscribed = Unsubscribed.safeParse(kind);
      return isOurs && unsubscribed.success ? { userId, unsubscribed: unsubscribed.data } : null;
    },
  };
}
