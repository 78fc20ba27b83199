import { ApiError, hashSecret } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { AccountsContext } from '../context.ts';
import type { FlowOwner } from '../credentials/flows.ts';
import { plainCode, stepOf } from '../credentials/totp.ts';
import type { FactorChange } from '../store/mails.ts';
import type { TotpRecord, UserRecord } from '../store/users.ts';

const TOTP_CODE = /^\d{6}$/;

/**
 * Returns the user's record of the app after the use of this code; null for a code that is wrong or
 * was used before. Takes recovery codes, too.
 */
export async function useOfCode(
  service: AccountsContext,
  { id }: UserRecord,
  totp: TotpRecord,
  given: string,
): Promise<TotpRecord | null> {
  const code = plainCode(given);
  if (!TOTP_CODE.test(code)) {
    const used = hashSecret(code);
    const left = totp.recovery_hashes.filter((hash) => hash !== used);
    return left.length < totp.recovery_hashes.length ? { ...totp, recovery_hashes: left } : null;
  }
  const secret = await service.totpSecrets.decrypt(id, totp).catch((error: unknown) => {
    service.log.error({ err: error, user_id: id }, 'the secret of an authenticator app cannot be decrypted');
    return null;
  });
  const step = secret === null ? null : stepOf(secret, code, service.now());
  return step !== null && step > totp.last_step ? { ...totp, last_step: step } : null;
}

/** Whether who has begun to add a factor may end it: who changed the password since may be another one. */
export const isOwnFlow = (begun: FlowOwner, ctx: RequestContext, user: UserRecord) =>
  begun.user_id === user.id &&
  begun.session_id === signedIn(ctx).session_id &&
  begun.password_changed_at === user.password_changed_at;

/** Tells a user by mail of a change of a sign-in factor, in the transaction of the change. */
export async function tellOfFactor(
  { config, mailLimits, now, store }: AccountsContext,
  tx: Transaction,
  { email }: UserRecord,
  kind: FactorChange,
): Promise<void> {
  if (config.mail && (await mailLimits.mayMailFactor(email)))
    await store.mails.insert({ kind }, email, now(), tx.session);
}

/**
 * Refuses a session without a second factor to add or remove one, where the user has one and a workspace of
 * theirs requires it: otherwise the password alone would replace it. Throws FORBIDDEN.
 */
export async function checkFactorChange(
  { store }: AccountsContext,
  ctx: RequestContext,
  { id, totp }: UserRecord,
): Promise<void> {
  const session = await store.sessions.byId(signedIn(ctx).session_id);
  if (session && session.second_factor !== null) return;
  if (!totp && (await store.passkeys.ofUser(id)).length === 0) return;
  const members = await store.members.ofUser(id);
  const workspaces = await store.workspaces.byIds(members.map(({ workspace_id }) => workspace_id));
  if (!workspaces.some(({ require_second_factor }) => require_second_factor)) return;
  const message = 'A workspace of yours requires a second factor: sign in with it to change your factors.';
  throw new ApiError('FORBIDDEN', { reason: 'second_factor', message });
}
