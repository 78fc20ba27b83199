import { ApiError, invalid } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit } from '@waymark/service-kit/store';
import type { Passwords } from '../credentials/passwords.ts';
import type { SignInLimits } from '../credentials/sign-in-limits.ts';
import { userEvent } from '../events.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/index.ts';
import { signedIn } from '../workspaces/change-workspace.ts';

/** A first password is set without another, so the session has to prove more: that its user has just signed in. */
const FRESH_MS = 10 * 60_000;

/**
 * Changes the caller's password, or sets the first one of who came by single sign-on, and ends the caller's other
 * sessions. Throws VALIDATION_ERROR on currentPassword; wrong ones count as failed sign-ins, so that a stolen session is
 * no way to guess it.
 */
export function changePasswordVerb(options: {
  store: Store;
  commit: Commit;
  now: () => number;
  passwords: Passwords;
  limits: SignInLimits;
  sessions: Sessions;
}) {
  const { store, commit, now, passwords, limits, sessions } = options;
  const wrong = () => invalid('currentPassword', 'is not your current password');

  const stale = () => invalid('currentPassword', 'does not exist: sign in again to set a first one');

  return async (
    ctx: RequestContext,
    input: { current_password?: string | undefined; new_password: string },
  ): Promise<void> => {
    const { user_id, session_id } = signedIn(ctx);
    const known = await store.users.byId(user_id);
    if (!known) throw new ApiError('UNAUTHORIZED');
    const { current_password } = input;
    const isFirst = known.password_hash === null;
    if (isFirst) {
      if (current_password !== undefined)
        throw invalid('currentPassword', 'does not exist: you sign in by single sign-on');
    } else {
      if (current_password === undefined) throw invalid('currentPassword', 'is needed');
      const isTheirs = await limits.attempt(known.email, ctx.clientAddress, () =>
        passwords.verify(known.password_hash, current_password),
      );
      if (!isTheirs) throw wrong();
    }
    const passwordHash = await passwords.hash(input.new_password);
    await commit(ctx, async (tx) => {
      const changedAt = new Date(now()).toISOString();
      const user = await store.users.raise(user_id, tx.session, {
        expected: { password_hash: known.password_hash },
        set: { password_hash: passwordHash, updated_at: changedAt },
      });
      if (!user) throw wrong();
      const active = await store.sessions.activeOf(user_id, changedAt, tx.session);
      const own = active.find((session) => session.id === session_id);
      if (!own) throw new ApiError('UNAUTHORIZED');
      if (isFirst && now() - Date.parse(own.created_at) > FRESH_MS) throw stale();
      await sessions.endAll(
        active.filter((session) => session.id !== session_id),
        tx,
      );
      tx.emit('user.password_changed', userEvent(user, { id: user_id }));
    });
  };
}
