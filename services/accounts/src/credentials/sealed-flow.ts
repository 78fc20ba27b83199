import type { KeyObject } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { z } from 'zod';
import { derivedSecrets, encryption } from './derived-secrets.ts';

/**
 * Encrypts the state of a flow of one purpose, which the browser keeps between the steps. Encrypts with a
 * secret of the first private key of accounts; those of all of them decrypt.
 */
export function sealedFlows<S extends z.ZodType>(
  privateKeys: readonly KeyObject[],
  { purpose, schema, seconds }: { purpose: string; schema: S; seconds: number },
  now: () => number,
) {
  const keys = derivedSecrets(privateKeys, purpose);
  return {
    seal: (flow: z.output<S>) =>
      new EncryptJWT({ flow })
        .setProtectedHeader(encryption.header)
        .setExpirationTime(Math.floor(now() / 1_000) + seconds)
        .encrypt(keys[0]!),

    /** Returns null for a value that this installation did not seal, or that has expired. */
    async open(sealed = ''): Promise<z.output<S> | null> {
      for (const key of keys) {
        try {
          const options = {
            ...encryption.accepted,
            currentDate: new Date(now()),
            requiredClaims: ['exp'],
          };
          const { payload } = await jwtDecrypt(sealed, key, options);
          return schema.parse(payload['flow']);
        } catch {
          // Encrypted with another key, or not valid at all: try the next key.
        }
      }
      return null;
    },
  };
}
