import { ApiError, hashSecret, newId, type Session } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import type { DatabaseSession, Transaction } from '@waymark/service-kit/store';
import { endSettingsOf, updateApiKey } from '../api-keys.ts';
import { isActive, secondFactorOf } from '../callers.ts';
import { type AccountsContext, timestamp } from '../context.ts';
import { randomSecret } from '../credentials/derived-secrets.ts';
import { removalDate, type SecondFactor, type SessionRecord } from '../store/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { sessionTag, userTag } from '../tags.ts';
import { changeOwnAccount, userEvent } from '../users.ts';
import { sessionView } from '../views.ts';

/** The plaintext tokens of a new session and of its browser, which go into cookies and nowhere else. */
export interface BrowserTokens {
  session: string;
  device: string;
}

/** Cookies that a browser has before a sign-in. */
export interface SignInCookies {
  /** A single sign-on in progress. */
  flow?: string | undefined;
  /** The proof that a user signed in there before. */
  device?: string | undefined;
  session?: string | undefined;
}

const IDLE_MS = 14 * 86_400_000;
export const SESSION_SECONDS_MAX = 90 * 86_400;
/** The precision of last_seen_at: a look-up within this time writes nothing. */
const SEEN_MS = 60_000;
const USER_AGENT_CHARACTERS = 512;

/** How a session is opened. */
export interface Opening {
  secondFactor?: SecondFactor | null;
  /** The token of the session that the browser has had until now. */
  earlier?: string | undefined;
}

/**
 * Opens a session in a transaction and returns its tokens. Ends the session that the browser had, of
 * whichever user, and the oldest ones beyond the limit.
 */
export async function openSession(
  service: AccountsContext,
  ctx: RequestContext,
  tx: Transaction,
  user: UserRecord,
  { secondFactor = null, earlier }: Opening = {},
): Promise<BrowserTokens> {
  const token = randomSecret();
  const createdAt = timestamp(service);
  const expiresAt = expiryOf(service, createdAt);
  const session: SessionRecord = {
    id: newId(),
    user_id: user.id,
    token_hash: hashSecret(token),
    ip: ctx.clientAddress,
    user_agent: ctx.userAgent?.slice(0, USER_AGENT_CHARACTERS).toWellFormed() ?? null,
    created_at: createdAt,
    last_seen_at: createdAt,
    expires_at: expiresAt,
    ended_at: null,
    second_factor: secondFactor,
    version: 1,
    remove_at: removalDate(expiresAt),
  };
  if (earlier !== undefined) {
    const replaced = await service.store.sessions.byTokenHash(hashSecret(earlier), tx.session);
    if (replaced && isActive(service, replaced)) await endSessions(service, tx, [replaced]);
  }
  await service.store.sessions.insert(session, tx.session);
  const active = await service.store.sessions.activeOf(user.id, createdAt, tx.session);
  await endSessions(service, tx, active.slice(service.config.sessionsPerUser));
  return { session: token, device: await service.deviceCookies.sign(user.id) };
}

export async function endSessions(service: AccountsContext, tx: Transaction, sessions: SessionRecord[]) {
  if (sessions.length === 0) return;
  const ids = sessions.map((session) => session.id);
  await service.store.sessions.end(ids, timestamp(service), tx.session);
  for (const { token_hash, version } of sessions) tx.invalidate({ [sessionTag(token_hash)]: version + 1 });
}

/** Records the factor that a session has proven since it was opened; null when it was removed. */
export async function setSecondFactor(
  service: AccountsContext,
  tx: Transaction,
  { id, token_hash, version }: SessionRecord,
  secondFactor: SecondFactor | null,
): Promise<void> {
  await service.store.sessions.setSecondFactor(id, secondFactor, tx.session);
  tx.invalidate({ [sessionTag(token_hash)]: version + 1 });
}

/** Clears a removed factor from the user's sessions, grants and keys. */
export async function forgetSecondFactor(
  service: AccountsContext,
  tx: Transaction,
  { id }: UserRecord,
  factor: SecondFactor,
): Promise<void> {
  const active = await service.store.sessions.activeOf(id, timestamp(service), tx.session);
  for (const session of active)
    if (session.second_factor === factor) await setSecondFactor(service, tx, session, null);
  for (const key of await service.store.apiKeys.grantsOf(id, timestamp(service), tx.session)) {
    if (key.grant?.second_factor === factor)
      await updateApiKey(service, tx, key, { grant: { ...key.grant, second_factor: null } });
  }
  await endSettingsOf(service, tx, { created_by: id });
}

export async function listSessions(service: AccountsContext, ctx: RequestContext): Promise<Session[]> {
  const { user_id, session_id } = signedIn(ctx);
  const active = await service.store.sessions.activeOf(user_id, timestamp(service));
  return active.map((session) => sessionView(session, session_id));
}

/** The session of the call and the user's other ones. Throws UNAUTHORIZED when it has ended. */
export async function ownAndOthers(service: AccountsContext, ctx: RequestContext, session?: DatabaseSession) {
  const { user_id, session_id } = signedIn(ctx);
  const active = await service.store.sessions.activeOf(user_id, timestamp(service), session);
  const own = active.find(({ id }) => id === session_id);
  if (!own) throw new ApiError('UNAUTHORIZED');
  return { own, others: active.filter((one) => one !== own) };
}

/** Ends the session of the call. A session that has ended meanwhile stays as it is. */
export function signOut(service: AccountsContext, ctx: RequestContext): Promise<void> {
  return changeOwnAccount(service, ctx, async (tx, user) => {
    const current = await activeSession(service, tx, user, signedIn(ctx).session_id);
    if (!current) return;
    await endSessions(service, tx, [current]);
    tx.emit('user.signed_out', userEvent(user, { id: user.id }));
  });
}

/** Ends one of the caller's sessions. Throws NOT_FOUND for any other. */
export function endSession(service: AccountsContext, ctx: RequestContext, id: string): Promise<void> {
  return changeOwnAccount(service, ctx, async (tx, user) => {
    const ending = await activeSession(service, tx, user, id);
    if (!ending) throw new ApiError('NOT_FOUND', { message: 'You have no such session.' });
    await endSessions(service, tx, [ending]);
    tx.emit('user.session_ended', userEvent(user, { id }));
  });
}

/** Returns the user behind a token's hash and when the session expires; use extends the session. */
export async function resolveSession(service: AccountsContext, hash: string) {
  const { store, now } = service;
  const session = await store.sessions.byTokenHash(hash);
  if (!session) return { session: null, tags: { [sessionTag(hash)]: 0 } };
  const user = await store.users.byId(session.user_id);
  const tags = { [sessionTag(hash)]: session.version, [userTag(session.user_id)]: user?.revision ?? 0 };
  if (!user || !isActive(service, session)) return { session: null, tags };
  let { expires_at } = session;
  if (now() - Date.parse(session.last_seen_at) >= SEEN_MS) {
    expires_at = expiryOf(service, session.created_at);
    await store.sessions.extend(session.id, { last_seen_at: timestamp(service), expires_at });
  }
  const expires_in_ms = Date.parse(expires_at) - now();
  const found = { session_id: session.id, user_id: user.id, user_name: user.name, expires_in_ms };
  return { session: { ...found, ...secondFactorOf(session) }, tags };
}

function expiryOf(service: AccountsContext, createdAt: string): string {
  const lastMs = Date.parse(createdAt) + SESSION_SECONDS_MAX * 1_000;
  return timestamp(service, Math.min(service.now() + IDLE_MS, lastMs));
}

async function activeSession(service: AccountsContext, tx: Transaction, user: UserRecord, id: string) {
  const active = await service.store.sessions.activeOf(user.id, timestamp(service), tx.session);
  return active.find((session) => session.id === id);
}
