import { createHash, type KeyObject } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { EncryptedSecret } from '../store/users.ts';
import { derivedSecrets, encryption } from './derived-secrets.ts';

/**
 * Encrypts the secrets of authenticator apps at rest, each for its user, with a secret of the first private
 * key of accounts; those of all of them decrypt.
 */
export function totpSecrets(privateKeys: readonly KeyObject[]) {
  const keys = derivedSecrets(privateKeys, 'TOTP secret').map((key) => ({
    id: createHash('sha256').update(key).digest('hex').slice(0, 8),
    key,
  }));
  const first = keys[0]!;
  return {
    firstKeyId: first.id,

    async encrypt(userId: string, secret: string): Promise<EncryptedSecret> {
      const jwt = new EncryptJWT({ secret }).setProtectedHeader(encryption.header).setSubject(userId);
      return { key_id: first.id, secret: await jwt.encrypt(first.key) };
    },

    /** Throws when the key is not configured any more, or the text is another user's or was altered. */
    async decrypt(userId: string, { key_id, secret }: EncryptedSecret): Promise<string> {
      const known = keys.find(({ id }) => id === key_id);
      if (!known) throw new Error(`IDENTITY_PRIVATE_KEYS of accounts lacks the key of the secret ${key_id}`);
      const { payload } = await jwtDecrypt<{ secret: string }>(secret, known.key, {
        ...encryption.accepted,
        subject: userId,
      });
      return payload.secret;
    },
  };
}
