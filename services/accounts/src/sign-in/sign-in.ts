import { ApiError, type OwnWorkspace, type Workspace } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { AccountsContext } from '../context.ts';
import { type BrowserTokens, openSession, type SignInCookies } from '../sessions/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { ownUser, userEvent } from '../users.ts';
import { userView } from '../views.ts';
import { listWorkspaces } from '../workspaces/workspaces.ts';
import { useOfCode } from './second-factor.ts';
import { linkPendingIdentity } from './single-sign-on.ts';

export type NewSession = ReturnType<typeof signedInUser> & { tokens: BrowserTokens };

/**
 * An unknown email and a wrong password look the same, and take the same time. Throws SECOND_FACTOR_REQUIRED
 * for a right password without a right code, and RATE_LIMITED.
 */
export async function signIn(
  service: AccountsContext,
  ctx: RequestContext,
  input: { email: string; password: string; code?: string | undefined },
  cookies: SignInCookies = {},
): Promise<NewSession> {
  const { store, passwords, signInLimits, deviceCookies, commit } = service;
  const refused = () => new ApiError('UNAUTHORIZED', { message: 'The email or the password is wrong.' });
  const known = await store.users.byEmail(input.email);
  const { code } = input;
  let isPassword = false;
  let totp = known?.totp ?? null;
  async function check(): Promise<boolean | null> {
    isPassword = await passwords.verify(known?.password_hash ?? null, input.password);
    if (!isPassword || !known?.totp) return isPassword;
    if (code === undefined) return null;
    await signInLimits.countCode(known.id);
    totp = await useOfCode(service, known, known.totp, code);
    if (totp) await signInLimits.uncountCode(known.id);
    return totp !== null;
  }
  const device = await deviceCookies.deviceOf(cookies.device, known?.id);
  const isCorrect = await signInLimits.attempt(ctx, { email: input.email, device }, check);
  if (isPassword && !isCorrect) throw secondFactorRequired(code);
  if (!known || !isCorrect) throw refused();
  const { user, tokens } = await commit(ctx, async (tx) => {
    // Refuses an old password, and a code that another sign-in has used, when that happened after the check.
    const expected = { password_hash: known.password_hash, totp: known.totp };
    const user = await store.users.update(known.id, tx.session, { expected, set: { totp } });
    if (!user) throw totp ? secondFactorRequired(code) : refused();
    const tokens = await openSession(service, ctx, tx, user, {
      secondFactor: totp && 'totp',
      earlier: cookies.session,
    });
    tx.emit('user.signed_in', userEvent(user, { id: user.id }));
    await linkPendingIdentity(service, tx, user, cookies.flow);
    return { user, tokens };
  });
  return { ...signedInUser(user, await listWorkspaces(service, user.id), totp !== null), tokens };
}

export async function getSelf(service: AccountsContext, ctx: RequestContext) {
  const user = await ownUser(service, ctx);
  // The caller's cached principal may be from before the second factor.
  const session = await service.store.sessions.byId(signedIn(ctx).session_id);
  if (!session) throw new ApiError('UNAUTHORIZED');
  return signedInUser(user, await listWorkspaces(service, user.id), session.second_factor !== null);
}

export function signedInUser(user: UserRecord, own: OwnWorkspace[], second_factor: boolean) {
  const workspaces = own.map(({ member_id: _, ...workspace }): Workspace => workspace);
  return { user: userView(user), has_password: user.password_hash !== null, second_factor, workspaces };
}

const secondFactorRequired = (code: string | undefined) =>
  new ApiError('SECOND_FACTOR_REQUIRED', {
    ...(code !== undefined && {
      message: 'This code is wrong or was used. Send the next one of the app, or a recovery code.',
    }),
  });
