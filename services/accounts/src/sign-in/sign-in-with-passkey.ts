import { ApiError, type PasskeySignIn } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { type AccountsContext, timestamp } from '../context.ts';
import type { WebAuthn } from '../credentials/webauthn.ts';
import { openSession, type SignInCookies } from '../sessions/sessions.ts';
import { userEvent } from '../users.ts';
import { listWorkspaces } from '../workspaces/workspaces.ts';
import { webauthnOf } from './passkeys.ts';
import { type NewSession, signedInUser } from './sign-in.ts';

/** Returns the options for the browser; they name no account. Throws NOT_FOUND as `webauthnOf`. */
export async function startPasskeySignIn(service: AccountsContext) {
  const webauthn = webauthnOf(service);
  const challenge = await service.signInChallenges.sign(null);
  return { options: { ...(await webauthn.requestOptions(challenge)) } };
}

/**
 * Signs in the owner of a passkey. An unknown passkey and an answer that does not verify look the same. A
 * counter that did not increase is refused, because another authenticator then has the same key.
 * Throws UNAUTHORIZED, RATE_LIMITED.
 */
export async function signInWithPasskey(
  service: AccountsContext,
  ctx: RequestContext,
  input: PasskeySignIn,
  cookies: SignInCookies = {},
): Promise<NewSession> {
  const { store, signInLimits, signInChallenges, deviceCookies, commit } = service;
  const webauthn = webauthnOf(service);
  const passkey = await store.passkeys.byCredentialId(input.credential_id);
  const known = passkey && (await store.users.byId(passkey.user_id));
  let verified = null as Awaited<ReturnType<WebAuthn['verifySignIn']>>;
  const check = async () => {
    verified = known && (await webauthn.verifySignIn(signInChallenges, input, passkey));
    return verified !== null;
  };
  const device = await deviceCookies.deviceOf(cookies.device, known?.id);
  // No address has a space: failures with unknown passkeys count at no account.
  const email = known?.email ?? `passkey ${input.credential_id}`;
  await signInLimits.attempt(ctx, { email, device }, check);
  if (!known || !verified) throw refused();
  const { challenge, ...state } = verified;
  const { user, tokens } = await commit(ctx, async (tx) => {
    const user = await store.users.update(known.id, tx.session);
    if (!user || !(await store.passkeys.useChallenge(challenge, tx.session))) throw refused();
    // Refuses a passkey that was removed after the check, or whose counter has moved on.
    const expected = { counter: passkey.counter };
    const used = { ...state, last_used_at: timestamp(service) };
    if (!(await store.passkeys.update(passkey.id, expected, used, tx.session))) throw refused();
    const tokens = await openSession(service, ctx, tx, user, {
      secondFactor: 'passkey',
      earlier: cookies.session,
    });
    tx.emit('user.signed_in', userEvent(user, { id: user.id }));
    return { user, tokens };
  });
  return { ...signedInUser(user, await listWorkspaces(service, user.id), true), tokens };
}

const refused = () =>
  new ApiError('UNAUTHORIZED', {
    message: 'This passkey did not sign you in. Try again, or sign in another way.',
  });
