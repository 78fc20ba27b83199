import { ApiError } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import { revokeGrantsOf } from '../api-keys.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { isCurrent } from '../credentials/link-tokens.ts';
import { checkNewPassword } from '../credentials/password-rules.ts';
import { endSessions } from '../sessions/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { actorOfUser, userEvent } from '../users.ts';
import { tellOfFactor } from './second-factor.ts';

/**
 * Queues a mail with a link to set a new password. Does not look for the account, so that a known and an
 * unknown address get the same answer after the same work. Throws NOT_FOUND where no mail is sent,
 * RATE_LIMITED.
 */
export async function requestPasswordReset(
  { config, store, commit, mailLimits, now }: AccountsContext,
  ctx: RequestContext,
  email: string,
): Promise<void> {
  if (!config.mail) throw noMail('a new password');
  await mailLimits.countReset(ctx, email);
  await commit(ctx, ({ session }) => store.mails.insert({ kind: 'password_reset' }, email, now(), session));
}

/**
 * Sets a new password, and ends every session, passkey and grant: whoever knew the old password may have
 * added one.
 * Throws NOT_FOUND for an invalid token, VALIDATION_ERROR.
 */
export async function resetPassword(
  service: AccountsContext,
  ctx: RequestContext,
  input: { token: string; new_password: string },
): Promise<void> {
  const { store, passwords, commit, resetTokens } = service;
  const subject = await resetTokens.verify(input.token);
  const known = subject && (await store.users.byId(subject.id));
  if (!known) throw invalidLink();
  const { id, email, password_changed_at } = subject;
  if (!isCurrent(subject, known)) throw invalidLink();
  await checkNewPassword('newPassword', input.new_password, known);
  const password_hash = await passwords.hash(input.new_password);
  await commit(ctx, async (tx) => {
    const user = await replacePassword(service, tx, id, password_hash, { email, password_changed_at });
    if (!user) throw invalidLink();
    tx.emit('user.password_changed', userEvent(user, { id }));
    await revokeGrantsOf(service, tx, id, actorOfUser(user));
  });
}

/** Ends every session and passkey too, and tells the user. Returns null if the user is not as expected. */
export async function replacePassword(
  service: AccountsContext,
  tx: Transaction,
  id: string,
  password_hash: string,
  expected: Partial<UserRecord> = {},
): Promise<UserRecord | null> {
  const { users, passkeys, sessions } = service.store;
  const now = timestamp(service);
  const set = { password_hash, password_changed_at: now, updated_at: now };
  const user = await users.update(id, tx.session, { expected, set });
  if (!user) return null;
  await passkeys.removeOf(id, tx.session);
  await tellOfFactor(service, tx, user, 'password_changed');
  await endSessions(service, tx, await sessions.activeOf(id, now, tx.session));
  return user;
}

export const noMail = (wanted: string) =>
  new ApiError('NOT_FOUND', {
    message: `This installation sends no e-mail; ask its operator for ${wanted}.`,
  });

export const invalidLink = () =>
  new ApiError('NOT_FOUND', {
    message: 'This link is no longer valid: it was used or is older than 30 minutes; ask for another one.',
  });
