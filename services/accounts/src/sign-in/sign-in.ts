import { ApiError, type OwnWorkspace, type Workspace } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { AccountsContext } from '../context.ts';
import { type BrowserTokens, openSession } from '../sessions/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { signedIn, userEvent } from '../users.ts';
import { userView } from '../views.ts';
import { listWorkspaces } from '../workspaces/workspaces.ts';
import { linkPendingIdentity } from './single-sign-on.ts';

export type NewSession = ReturnType<typeof signedInUser> & { tokens: BrowserTokens };

/** Cookies of the browser: a single sign-on in progress, and the proof that a user signed in there before. */
export interface SignInCookies {
  flow?: string | undefined;
  device?: string | undefined;
}

/** An unknown email and a wrong password look the same, and take the same time. Throws RATE_LIMITED. */
export async function signIn(
  service: AccountsContext,
  ctx: RequestContext,
  input: { email: string; password: string },
  cookies: SignInCookies = {},
): Promise<NewSession> {
  const { store, passwords, signInLimits, deviceCookies, commit } = service;
  const refused = () => new ApiError('UNAUTHORIZED', { message: 'The email or the password is wrong.' });
  const known = await store.users.byEmail(input.email);
  const check = () => passwords.verify(known?.password_hash ?? null, input.password);
  const device = await deviceCookies.deviceOf(cookies.device, known?.id);
  const isCorrect = await signInLimits.attempt(ctx, { email: input.email, device }, check);
  if (!known || !isCorrect) throw refused();
  const { user, tokens } = await commit(ctx, async (tx) => {
    // Refuses the old password when it was changed after the check.
    const expected = { password_hash: known.password_hash };
    const user = await store.users.update(known.id, tx.session, { expected });
    if (!user) throw refused();
    const tokens = await openSession(service, ctx, tx, user);
    tx.emit('user.signed_in', userEvent(user, { id: user.id }));
    await linkPendingIdentity(service, tx, user, cookies.flow);
    return { user, tokens };
  });
  return { ...signedInUser(user, await listWorkspaces(service, user.id)), tokens };
}

export async function getSelf(service: AccountsContext, ctx: RequestContext) {
  const { user_id } = signedIn(ctx);
  const user = await service.store.users.byId(user_id);
  if (!user) throw new ApiError('UNAUTHORIZED');
  return signedInUser(user, await listWorkspaces(service, user_id));
}

export function signedInUser(user: UserRecord, own: OwnWorkspace[]) {
  const workspaces = own.map(({ member_id: _, ...workspace }): Workspace => workspace);
  return { user: userView(user), has_password: user.password_hash !== null, workspaces };
}
