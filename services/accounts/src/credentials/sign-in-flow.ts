import type { KeyObject } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { derivedSecrets } from './derived-secrets.ts';

/** The state of a single sign-on, which the browser keeps encrypted between the steps. */
const SignInFlow = z.discriminatedUnion('kind', [
  z.object({
    /** The browser is at the provider. */
    kind: z.literal('provider'),
    state: z.string(),
    nonce: z.string(),
    code_verifier: z.string(),
    return_to: z.string(),
  }),
  z.object({
    /** The provider has answered; the identity waits for the password of the account with its email. */
    kind: z.literal('link'),
    issuer: z.string(),
    subject: z.string(),
    user_id: z.string(),
  }),
]);
export type SignInFlow = z.output<typeof SignInFlow>;

export const FLOW_SECONDS = 600;

/** Encrypts with a hash of the first private key of accounts; hashes of all of them decrypt. */
export function signInFlows(privateKeys: readonly KeyObject[], now: () => number) {
  const keys = derivedSecrets(privateKeys, 'sign-in flow');
  return {
    seal: (flow: SignInFlow) =>
      new EncryptJWT({ flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1_000) + FLOW_SECONDS)
        .encrypt(keys[0]!),

    /** Returns null for a value that this installation did not seal, or that is older than ten minutes. */
    async open(sealed = ''): Promise<SignInFlow | null> {
      for (const key of keys) {
        try {
          const options = { currentDate: new Date(now()), requiredClaims: ['exp'] };
          const { payload } = await jwtDecrypt(sealed, key, options);
          return SignInFlow.parse(payload['flow']);
        } catch {
          // Encrypted with another key, or not valid at all: try the next key.
        }
      }
      return null;
    },
  };
}
