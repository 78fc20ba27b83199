import { ApiError, hashSecret } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { AccountsContext } from '../context.ts';
import { checkNewPassword } from '../credentials/password-rules.ts';
import { checkEmail, findInvitation, redeemInvitation } from '../invitations/redeem-invitation.ts';
import { openSession, type SignInCookies } from '../sessions/sessions.ts';
import { emailTaken } from '../store/users.ts';
import { insertUser } from '../users.ts';
import { userView } from '../views.ts';
import { firstWorkspaceName, preferredLanguage } from '../workspaces/first-workspace-name.ts';
import { insertWorkspace } from '../workspaces/workspaces.ts';
import type { NewSession } from './sign-in.ts';

const CLOSED = {
  invite: 'This installation takes new users by invitation; ask someone who uses it to invite you.',
  closed: 'This installation takes no new users; ask its operator for an account.',
} as const;

/**
 * Throws FORBIDDEN where sign-up is not open, CONFLICT for a taken email, VALIDATION_ERROR for a password
 * that is easy to guess, RATE_LIMITED for too many accounts from a network, and as `redeemInvitation`.
 */
export async function signUp(
  service: AccountsContext,
  ctx: RequestContext,
  input: { email: string; password: string; name: string; invitation?: string | undefined },
  { session: earlier }: SignInCookies = {},
): Promise<NewSession> {
  const { config, store, passwords, commit } = service;
  const { email, name } = input;
  const invitationHash = input.invitation === undefined ? undefined : hashSecret(input.invitation);
  const isInvited = config.signUp === 'invite' && invitationHash !== undefined;
  if (config.signUp !== 'open' && !isInvited) {
    throw new ApiError('FORBIDDEN', { reason: 'operator', message: CLOSED[config.signUp] });
  }
  // Checked before anything reveals whether the email is known, or computes a hash.
  if (invitationHash !== undefined)
    checkEmail((await findInvitation(service, invitationHash)).invitation, email);
  await checkNewPassword('password', input.password, input);
  if (await store.users.byEmail(email)) throw emailTaken();
  if (invitationHash === undefined) await service.signUpLimit.count(ctx);
  const passwordHash = await passwords.hash(input.password);
  return commit(ctx, async (tx) => {
    const language = preferredLanguage(ctx.acceptLanguage);
    const user = await insertUser(service, tx, { email, name, language, passwordHash });
    const tokens = await openSession(service, ctx, tx, user, { earlier });
    const workspace =
      invitationHash === undefined
        ? await insertWorkspace(service, tx, user, firstWorkspaceName(name, ctx.acceptLanguage))
        : await redeemInvitation(service, tx, user, invitationHash);
    const view = { user: userView(user), has_password: true, second_factor: false };
    return { ...view, workspaces: [workspace], tokens };
  });
}
