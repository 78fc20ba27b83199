import { invalid } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import { revokeGrantsOf } from '../api-keys.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { checkNewPassword } from '../credentials/password-rules.ts';
import { endSessions, ownAndOthers } from '../sessions/sessions.ts';
import type { SessionRecord } from '../store/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { ownUser, userEvent } from '../users.ts';
import { checkFactorChange, tellOfFactor } from './second-factor.ts';

/** A first password needs no current one, so the session must be recent enough to prove who the user is. */
const RECENT_MS = 10 * 60_000;

/** The proof that the caller owns the account: the password, and the cookie of a known browser. */
export interface OwnerProof {
  current_password?: string | undefined;
  device?: string | undefined;
}

/**
 * Changes the password, or sets the first one, and ends the caller's other sessions and all grants. Throws
 * VALIDATION_ERROR.
 * A wrong current password counts as a failed sign-in, so that a stolen session cannot be used to guess it.
 */
export async function changePassword(
  service: AccountsContext,
  ctx: RequestContext,
  input: OwnerProof & { new_password: string },
): Promise<void> {
  const { store, passwords, commit } = service;
  const known = await ownUser(service, ctx);
  await checkNewPassword('newPassword', input.new_password, known);
  await checkCurrentPassword(service, ctx, known, input);
  const passwordHash = await passwords.hash(input.new_password);
  await commit(ctx, async (tx) => {
    const changedAt = timestamp(service);
    const user = await store.users.update(known.id, tx.session, {
      expected: { password_hash: known.password_hash },
      set: { password_hash: passwordHash, password_changed_at: changedAt, updated_at: changedAt },
    });
    if (!user) throw wrongPassword();
    const { own, others } = await ownAndOthers(service, ctx, tx.session);
    if (known.password_hash === null) checkIsRecent(service, own);
    await endSessions(service, tx, others);
    tx.emit('user.password_changed', userEvent(user, { id: user.id }));
    await revokeGrantsOf(service, tx, user.id);
    await tellOfFactor(service, tx, user, 'password_changed');
  });
}

/**
 * Returns the caller, who may add and remove factors: gave the password, or has none and signed in recently.
 * Throws VALIDATION_ERROR and RATE_LIMITED as `changePassword`, and FORBIDDEN as `checkFactorChange`.
 */
export async function checkOwner(
  service: AccountsContext,
  ctx: RequestContext,
  proof: OwnerProof,
): Promise<UserRecord> {
  const known = await ownUser(service, ctx);
  await checkCurrentPassword(service, ctx, known, proof);
  if (known.password_hash === null) checkIsRecent(service, (await ownAndOthers(service, ctx)).own);
  await checkFactorChange(service, ctx, known);
  return known;
}

function checkIsRecent({ now }: AccountsContext, { created_at }: SessionRecord): void {
  if (now() - Date.parse(created_at) <= RECENT_MS) return;
  throw invalid('currentPassword', 'does not exist: sign in again first');
}

export async function checkCurrentPassword(
  { passwords, signInLimits, deviceCookies }: AccountsContext,
  ctx: RequestContext,
  { id, email, password_hash }: UserRecord,
  { current_password: given, device: cookie }: OwnerProof,
): Promise<void> {
  if (password_hash === null) {
    if (given === undefined) return;
    throw invalid('currentPassword', 'does not exist: you sign in by single sign-on');
  }
  if (given === undefined) throw invalid('currentPassword', 'is required');
  const device = await deviceCookies.deviceOf(cookie, id);
  const check = () => passwords.verify(password_hash, given);
  if (!(await signInLimits.attempt(ctx, { email, device }, check))) throw wrongPassword();
}

const wrongPassword = () => invalid('currentPassword', 'is not your current password');
