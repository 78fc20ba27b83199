import { createHash } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';

/** What a browser keeps between the steps of single sign-on, sealed: it can neither read nor change it. */
const SignInFlow = z.discriminatedUnion('kind', [
  z.object({
    /** On the way to the provider and back. */
    kind: z.literal('provider'),
    state: z.string(),
    nonce: z.string(),
    code_verifier: z.string(),
    return_to: z.string(),
  }),
  z.object({
    /** Back from there: the identity waits for the password of the account that has its email. */
    kind: z.literal('link'),
    issuer: z.string(),
    subject: z.string(),
    user_id: z.string(),
  }),
]);
export type SignInFlow = z.output<typeof SignInFlow>;

export const FLOW_SECONDS = 600;

export interface SignInFlows {
  seal(flow: SignInFlow): Promise<string>;
  /** Null for what is not sealed by this installation, or is older than ten minutes. */
  open(sealed: string | undefined): Promise<SignInFlow | null>;
}

/** The first secret seals; all open. */
export function signInFlows(secrets: readonly string[], now: () => number): SignInFlows {
  const keys = secrets.map((secret) => createHash('sha256').update(`sign-in flow\0${secret}`).digest());
  return {
    seal: (flow) =>
      new EncryptJWT({ flow })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1_000) + FLOW_SECONDS)
        .encrypt(keys[0]!),
    async open(sealed) {
      for (const key of sealed === undefined ? [] : keys) {
        try {
          const options = { currentDate: new Date(now()), requiredClaims: ['exp'] };
          const { payload } = await jwtDecrypt(sealed!, key, options);
          return SignInFlow.parse(payload['flow']);
        } catch {
          // Not sealed with this secret, or not valid at all: the next one decides.
        }
      }
      return null;
    },
  };
}
