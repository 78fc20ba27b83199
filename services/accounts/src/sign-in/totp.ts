import { ApiError, hashSecret, limits, type Totp, type TotpCreate } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import { newRecoveryCode, newTotpSecret, plainCode, stepOf, totpUri } from '../credentials/totp.ts';
import { endSessions, forgetSecondFactor, ownAndOthers, setSecondFactor } from '../sessions/sessions.ts';
import type { TotpRecord, UserRecord } from '../store/users.ts';
import { changeOwnAccount, ownUser, userEvent } from '../users.ts';
import { checkOwner, type OwnerProof } from './change-password.ts';
import { isOwnFlow, tellOfFactor } from './second-factor.ts';

export async function getTotp(service: AccountsContext, ctx: RequestContext): Promise<Totp> {
  const { totp } = await ownUser(service, ctx);
  return { added_at: totp?.added_at ?? null, recovery_codes_left: totp?.recovery_hashes.length ?? 0 };
}

/**
 * Returns a new secret, which is stored nowhere until a code confirms it. Throws CONFLICT for a user who has
 * an app already, or no password; VALIDATION_ERROR as `checkOwner`, RATE_LIMITED.
 */
export async function startTotp(service: AccountsContext, ctx: RequestContext, proof: OwnerProof) {
  const { session_id } = signedIn(ctx);
  const user = await checkOwner(service, ctx, proof);
  checkHasNone(user);
  if (user.password_hash === null) throw withoutPassword();
  const secret = newTotpSecret();
  const { id: user_id, email, password_changed_at } = user;
  const enrolment = await service.totpEnrolments.seal({ user_id, session_id, password_changed_at, secret });
  return { secret, uri: totpUri(secret, email), enrolment };
}

/**
 * Adds the app that shows the code, ends the user's other sessions, and returns the recovery codes. Throws
 * VALIDATION_ERROR, CONFLICT.
 */
export async function addTotp(service: AccountsContext, ctx: RequestContext, input: TotpCreate) {
  const { store, totpEnrolments, totpSecrets, now } = service;
  const begun = await totpEnrolments.open(input.enrolment);
  if (!begun) throw refusedEnrolment();
  const step = stepOf(begun.secret, plainCode(input.code), now());
  if (step === null) throw wrongCode();
  const codes = newRecoveryCodes();
  const encrypted = await totpSecrets.encrypt(begun.user_id, begun.secret);
  return changeOwnAccount(service, ctx, async (tx, user) => {
    if (!isOwnFlow(begun, ctx, user)) throw refusedEnrolment();
    checkHasNone(user);
    const added_at = timestamp(service);
    const totp = { ...encrypted, last_step: step, recovery_hashes: codes.hashes, added_at };
    await store.users.update(user.id, tx.session, { set: { totp } });
    const own = await endOthers(service, tx, ctx);
    await setSecondFactor(service, tx, own, own.second_factor ?? 'totp');
    tx.emit('user.totp_added', userEvent(user, { id: user.id }));
    await tellOfFactor(service, tx, user, 'totp_added');
    return { recovery_codes: codes.plain };
  });
}

/** Throws NOT_FOUND, VALIDATION_ERROR as `checkOwner`, RATE_LIMITED. */
export async function renewRecoveryCodes(service: AccountsContext, ctx: RequestContext, proof: OwnerProof) {
  await checkOwner(service, ctx, proof);
  const codes = newRecoveryCodes();
  return changeOwnAccount(service, ctx, async (tx, user) => {
    const totp = { ...totpOf(user), recovery_hashes: codes.hashes };
    await service.store.users.update(user.id, tx.session, { set: { totp } });
    tx.emit('user.recovery_codes_renewed', userEvent(user, { id: user.id }));
    return { recovery_codes: codes.plain };
  });
}

/** Ends the user's other sessions, too. Throws NOT_FOUND, VALIDATION_ERROR as `checkOwner`, RATE_LIMITED. */
export async function removeTotp(
  service: AccountsContext,
  ctx: RequestContext,
  proof: OwnerProof,
): Promise<void> {
  await checkOwner(service, ctx, proof);
  await changeOwnAccount(service, ctx, async (tx, user) => {
    totpOf(user);
    await endOthers(service, tx, ctx);
    await dropTotp(service, tx, user);
    tx.emit('user.totp_removed', userEvent(user, { id: user.id }));
  });
}

/** Removes the app, tells the user, and clears the factor from sessions. */
export async function dropTotp(service: AccountsContext, tx: Transaction, user: UserRecord): Promise<void> {
  await service.store.users.update(user.id, tx.session, { set: { totp: null } });
  await forgetSecondFactor(service, tx, user, 'totp');
  await tellOfFactor(service, tx, user, 'totp_removed');
}

/** Ends all sessions but the caller's, and returns that one. */
async function endOthers(service: AccountsContext, tx: Transaction, ctx: RequestContext) {
  const { own, others } = await ownAndOthers(service, ctx, tx.session);
  await endSessions(service, tx, others);
  return own;
}

function newRecoveryCodes() {
  const plain = Array.from({ length: limits.recoveryCodes }, newRecoveryCode);
  return { plain, hashes: plain.map((code) => hashSecret(plainCode(code))) };
}

function totpOf({ totp }: UserRecord): TotpRecord {
  if (totp) return totp;
  throw new ApiError('NOT_FOUND', { message: 'You have no authenticator app.' });
}

function checkHasNone({ totp }: UserRecord): void {
  if (!totp) return;
  throw new ApiError('CONFLICT', { message: 'You have an authenticator app; remove it first.' });
}

const withoutPassword = () =>
  new ApiError('CONFLICT', {
    message: 'You sign in by single sign-on, which never asks for a code here; set a password first.',
  });

const refusedEnrolment = () =>
  new ApiError('VALIDATION_ERROR', {
    message: 'This set-up is not valid or took more than ten minutes. Start again.',
    issues: [{ path: 'enrolment', message: 'is not valid, or took too long' }],
  });

const wrongCode = () =>
  new ApiError('VALIDATION_ERROR', {
    message: 'The app shows another code. Check the clock of the device, and try the next code.',
    issues: [{ path: 'code', message: 'is not the code that the app shows now' }],
  });
