import { ApiError, limits, newId, type Passkey, type PasskeyCreate } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import { changesBetween, type DatabaseSession, type Transaction } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from '../context.ts';
import { forgetSecondFactor, setSecondFactor } from '../sessions/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { changeOwnAccount, userEvent } from '../users.ts';
import { passkeyView } from '../views.ts';
import { checkOwner, type OwnerProof } from './change-password.ts';
import { isOwnFlow, tellOfFactor } from './second-factor.ts';

const MAX = limits.passkeysPerUser;

export async function listPasskeys({ store }: AccountsContext, ctx: RequestContext): Promise<Passkey[]> {
  return (await store.passkeys.ofUser(signedIn(ctx).user_id)).map(passkeyView);
}

/**
 * Returns the options for the browser to create a passkey. Throws NOT_FOUND where browsers allow none,
 * VALIDATION_ERROR as `checkOwner`, LIMIT_EXCEEDED, RATE_LIMITED.
 */
export async function startPasskey(service: AccountsContext, ctx: RequestContext, proof: OwnerProof) {
  const webauthn = webauthnOf(service);
  const { session_id } = signedIn(ctx);
  const user = await checkOwner(service, ctx, proof);
  const existing = await roomFor(service, user.id);
  const { id: user_id, password_changed_at } = user;
  const challenge = await service.creationChallenges.sign({ user_id, session_id, password_changed_at });
  return { options: { ...(await webauthn.creationOptions(user, challenge, existing)) } };
}

/** Adds the passkey of the browser's answer. Throws VALIDATION_ERROR, CONFLICT, LIMIT_EXCEEDED. */
export async function addPasskey(
  service: AccountsContext,
  ctx: RequestContext,
  input: PasskeyCreate,
): Promise<Passkey> {
  const { store, creationChallenges } = service;
  const created = await webauthnOf(service).verifyCreation(creationChallenges, input);
  const subject = created?.challenge.subject;
  if (!subject) throw refusedAnswer();
  return changeOwnAccount(service, ctx, async (tx, user) => {
    if (!isOwnFlow(subject, ctx, user)) throw refusedAnswer();
    if (!(await store.passkeys.useChallenge(created.challenge, tx.session))) throw refusedAnswer();
    await roomFor(service, user.id, tx.session);
    const { challenge: _, ...key } = created;
    const passkey = {
      ...{ id: newId(), user_id: user.id, name: input.name, ...key },
      ...{ transports: input.transports, created_at: timestamp(service), last_used_at: null },
    };
    if (!(await store.passkeys.insert(passkey, tx.session))) {
      throw new ApiError('CONFLICT', { message: 'This passkey is registered already.' });
    }
    const own = await store.sessions.byId(signedIn(ctx).session_id, tx.session);
    if (own && own.second_factor === null) await setSecondFactor(service, tx, own, 'passkey');
    emitAbout(tx, 'user.passkey_added', user, { before: null, after: passkey });
    await tellOfFactor(service, tx, user, 'passkey_added');
    return passkeyView(passkey);
  });
}

/** The same name changes nothing. Throws NOT_FOUND. */
export function updatePasskey(
  service: AccountsContext,
  ctx: RequestContext,
  id: string,
  { name }: { name?: string | undefined },
): Promise<Passkey> {
  return changeOwnAccount(service, ctx, async (tx, user) => {
    const before = await ownPasskey(service, tx, user, id);
    if (name === undefined || name === before.name) return passkeyView(before);
    const after = (await service.store.passkeys.update(id, {}, { name }, tx.session))!;
    emitAbout(tx, 'user.passkey_updated', user, { before, after });
    return passkeyView(after);
  });
}

/** Throws NOT_FOUND, VALIDATION_ERROR as `checkOwner`, RATE_LIMITED. */
export async function removePasskey(
  service: AccountsContext,
  ctx: RequestContext,
  id: string,
  proof: OwnerProof,
): Promise<void> {
  await checkOwner(service, ctx, proof);
  await changeOwnAccount(service, ctx, async (tx, user) => {
    const before = await ownPasskey(service, tx, user, id);
    const { passkeys } = service.store;
    await passkeys.remove(before, tx.session);
    if ((await passkeys.ofUser(user.id, tx.session)).length === 0)
      await forgetSecondFactor(service, tx, user, 'passkey');
    emitAbout(tx, 'user.passkey_removed', user, { before, after: null });
    await tellOfFactor(service, tx, user, 'passkey_removed');
  });
}

export function webauthnOf({ webauthn }: AccountsContext) {
  if (webauthn) return webauthn;
  const message =
    'Browsers allow no passkeys at the address of this installation: it needs https and a name.';
  throw new ApiError('NOT_FOUND', { message });
}

function emitAbout(
  tx: Transaction,
  type: 'user.passkey_added' | 'user.passkey_updated' | 'user.passkey_removed',
  user: UserRecord,
  { before, after }: { before: Passkey | null; after: Passkey | null },
): void {
  const data = { id: user.id, passkey_id: (after ?? before)!.id };
  tx.emit(type, { ...userEvent(user, data), changes: changesBetween(before, after, ['name']) });
}

async function ownPasskey({ store }: AccountsContext, tx: Transaction, user: UserRecord, id: string) {
  const passkey = await store.passkeys.byId(id, tx.session);
  if (passkey?.user_id !== user.id) throw new ApiError('NOT_FOUND', { message: 'You have no such passkey.' });
  return passkey;
}

/** Returns the user's passkeys. Throws LIMIT_EXCEEDED when there is no room for another. */
async function roomFor({ store }: AccountsContext, userId: string, session?: DatabaseSession) {
  const existing = await store.passkeys.ofUser(userId, session);
  if (existing.length < MAX) return existing;
  const message = `You have ${MAX} passkeys, the maximum; remove one that you no longer use.`;
  throw new ApiError('LIMIT_EXCEEDED', { message });
}

const refusedAnswer = () =>
  new ApiError('VALIDATION_ERROR', {
    message: 'The passkey was not created: its answer is not valid, was used, or came too late. Try again.',
    issues: [{ path: 'credential', message: 'is not valid, was used, or came too late' }],
  });
