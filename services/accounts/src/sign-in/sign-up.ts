import { ApiError, newId, type User, type Workspace } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { userEvent } from '../events.ts';
import type { Invitations } from '../members/invitations.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/index.ts';
import { emailTaken, type UserRecord } from '../store/users.ts';
import { userView } from '../views.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

export interface SignedInUser {
  user: User;
  has_password: boolean;
  workspaces: Workspace[];
  /** The plaintext of the new session's token, for the cookie and nowhere else. */
  token: string;
}

const CLOSED = {
  invite: 'This installation takes new users by invitation; ask someone who uses it to invite you.',
  closed: 'This installation takes no new users; ask its operator for an account.',
} as const;

/**
 * Creates a user with a session, and a first workspace or a place in the one that an invitation is for. Throws FORBIDDEN
 * where sign-up is not open, CONFLICT, and what redeeming throws.
 */
export function signUpVerb(options: {
  store: Store;
  commit: Commit;
  config: AccountsConfig;
  now: () => number;
  passwords: Passwords;
  sessions: Sessions;
  workspaces: Workspaces;
  invitations: Invitations;
}) {
  const { store, commit, config, now, passwords, sessions, workspaces, invitations } = options;

  return async (
    ctx: RequestContext,
    input: { email: string; password: string; name: string; invitation?: string | undefined },
  ): Promise<SignedInUser> => {
    const isInvited = config.signUp === 'invite' && input.invitation !== undefined;
    if (config.signUp !== 'open' && !isInvited) {
      throw new ApiError('FORBIDDEN', { message: CLOSED[config.signUp] });
    }
    // Before anything tells whether the email is known, or costs a hash.
    if (input.invitation !== undefined) await invitations.check(input.invitation, input.email);
    if (await store.users.byEmail(input.email)) throw emailTaken();
    const passwordHash = await passwords.hash(input.password);
    return commit(ctx, async (tx) => {
      const createdAt = new Date(now()).toISOString();
      const user: UserRecord = {
        id: newId(),
        email: input.email,
        name: input.name,
        password_hash: passwordHash,
        revision: 1,
        created_at: createdAt,
        updated_at: createdAt,
      };
      await store.users.insert(user, tx.session);
      const token = await sessions.open(ctx, tx, user);
      tx.emit('user.signed_up', userEvent(user, userView(user)));
      const workspace =
        input.invitation === undefined
          ? await workspaces.establish(tx, user, `${user.name}'s workspace`)
          : await invitations.redeem(tx, user, input.invitation);
      return { user: userView(user), has_password: true, workspaces: [workspace], token };
    });
  };
}
