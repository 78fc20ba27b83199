import { ApiError } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit } from '@waymark/service-kit/store';
import type { Passwords } from '../credentials/passwords.ts';
import type { SignInLimits } from '../credentials/sign-in-limits.ts';
import { userEvent } from '../events.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/index.ts';
import { userView } from '../views.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { SignedInUser } from './sign-up.ts';
import type { SingleSignOn } from './single-sign-on.ts';

/**
 * Opens a session for who knows the password. An unknown email and a wrong password are the same UNAUTHORIZED after
 * the same time; too many failures are RATE_LIMITED.
 */
export function signInVerb(options: {
  store: Store;
  commit: Commit;
  passwords: Passwords;
  limits: SignInLimits;
  sessions: Sessions;
  workspaces: Workspaces;
  linkWaiting: SingleSignOn['linkWaiting'];
}) {
  const { store, commit, passwords, limits, sessions, workspaces, linkWaiting } = options;
  const refused = () => new ApiError('UNAUTHORIZED', { message: 'The email or the password is wrong.' });

  return async (
    ctx: RequestContext,
    input: { email: string; password: string },
    flow?: string,
  ): Promise<SignedInUser> => {
    const known = await store.users.byEmail(input.email);
    const isTheirs = await limits.attempt(input.email, ctx.clientAddress, () =>
      passwords.verify(known?.password_hash ?? null, input.password),
    );
    if (!known || !isTheirs) throw refused();
    const { user, token } = await commit(ctx, async (tx) => {
      // A password changed since the check must not let the old one in.
      const expected = { password_hash: known.password_hash };
      const user = await store.users.raise(known.id, tx.session, { expected });
      if (!user) throw refused();
      const token = await sessions.open(ctx, tx, user);
      tx.emit('user.signed_in', userEvent(user, { id: user.id }));
      await linkWaiting(tx, user, flow);
      return { user, token };
    });
    return {
      user: userView(user),
      has_password: true,
      workspaces: await workspaces.listOf(user.id),
      token,
    };
  };
}
