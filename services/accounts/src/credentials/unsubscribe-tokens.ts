import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Unsubscribed } from '@waymark/contracts';
import { derivedSecrets } from './derived-secrets.ts';

/** Signs what a mail unsubscribes from. A token has no end: old mails must be able to end new ones. */
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
