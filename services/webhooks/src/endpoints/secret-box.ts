import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type EncryptionKey = ReturnType<typeof readEncryptionKeys>[number];

/**
 * Parses comma-separated keys of 32 bytes in base64 or base64url. Encrypted texts name a key by its `id`, the
 * first 8 hex digits of its SHA-256. Throws when a key is anything else.
 */
export function readEncryptionKeys(text: string) {
  return text.split(',').map((part) => {
    const bytes = Buffer.from(part.trim(), 'base64');
    if (bytes.length !== KEY_BYTES) throw new Error('an encryption key has 32 bytes');
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
  });
}

export type SecretBox = ReturnType<typeof secretBox>;

/**
 * Encrypts secrets at rest: AES-256-GCM, as `<key id>.<base64url of IV, tag and ciphertext>`. Hashes networks
 * with a key, because a hash without a key is found by trying every address.
 */
export function secretBox(keys: readonly EncryptionKey[]) {
  const [first] = keys;
  if (!first) throw new Error('there is no encryption key');
  const hashKey = Buffer.from(hkdfSync('sha256', first.bytes, '', 'network', KEY_BYTES));
  return {
    hashNetwork: (network: string) => createHmac('sha256', hashKey).update(network).digest('base64url'),
    /** Binds the ciphertext to `owner`: it cannot be decrypted for another owner. */
    encrypt(owner: string, secret: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.bytes, iv).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${first.id}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    /** Throws when the key is not configured any more, or the text was altered. */
    decrypt(owner: string, encrypted: string): string {
      const [id, text = ''] = encrypted.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if (!key) throw new Error(`WEBHOOK_ENCRYPTION_KEYS lacks the key ${id}`);
      const bytes = Buffer.from(text, 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}
