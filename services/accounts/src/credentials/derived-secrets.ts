import { createHash, type KeyObject, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;
export const randomSecret = (bytes = RANDOM_BYTES) => randomBytes(bytes).toString('base64url');

/** Secrets for one purpose: hashes of the private keys of accounts, in their order. */
export function derivedSecrets(privateKeys: readonly KeyObject[], purpose: string): Buffer[] {
  return privateKeys.map((key) =>
    createHash('sha256')
      .update(`${purpose}\0`)
      .update(key.export({ format: 'der', type: 'pkcs8' }))
      .digest(),
  );
}

/** How accounts encrypts with such a secret; the only algorithms that it decrypts (RFC 8725, 3.1). */
export const encryption = {
  header: { alg: 'dir', enc: 'A256GCM' },
  accepted: { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
};
