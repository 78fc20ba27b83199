import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { sealedFlows } from './sealed-flow.ts';

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

export const signInFlows = (privateKeys: readonly KeyObject[], now: () => number) =>
  sealedFlows(privateKeys, { purpose: 'sign-in flow', schema: SignInFlow, seconds: FLOW_SECONDS }, now);
