import { ClientMetadata, limits } from '@waymark/contracts';
import { z } from 'zod';

/** Who has begun a change of the factors of an account, with which password. */
export const FlowOwner = z.object({
  user_id: z.string(),
  session_id: z.string(),
  password_changed_at: z.string().nullable(),
});
export type FlowOwner = z.output<typeof FlowOwner>;

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
const YEAR_SECONDS = 365 * 86_400;

export const signInFlow = { purpose: 'sign-in flow', schema: SignInFlow, seconds: FLOW_SECONDS };

/** An authenticator app that waits for its first code, so that one that nobody confirms is stored nowhere. */
export const totpEnrolment = {
  purpose: 'TOTP enrolment',
  schema: FlowOwner.extend({ secret: z.string() }),
  seconds: limits.totpEnrolmentSeconds,
};

/** The metadata of registered clients, sealed into their ids: strangers who register store nothing here. */
export const registeredClient = { purpose: 'client', schema: ClientMetadata, seconds: YEAR_SECONDS };
