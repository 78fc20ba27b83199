import { type Actor, ApiError, type AuditAction, type Language, newId } from '@waymark/contracts';
import { type RequestContext, signedIn } from '@waymark/service-kit/http';
import { serviceContext, type Transaction } from '@waymark/service-kit/store';
import { checkCredentials } from './callers.ts';
import { type AccountsContext, timestamp } from './context.ts';
import type { UserRecord } from './store/users.ts';
import { userView } from './views.ts';

/**
 * Runs `work` in a transaction that conflicts with every other change of the caller's account. Throws
 * UNAUTHORIZED when the session has ended.
 */
export function changeOwnAccount<T>(
  service: AccountsContext,
  ctx: RequestContext,
  work: (tx: Transaction, user: UserRecord) => Promise<T>,
): Promise<T> {
  const { commit, store } = service;
  const { user_id } = signedIn(ctx);
  const change = async (tx: Transaction) => {
    await checkCredentials(service, ctx, tx.session);
    const user = await store.users.update(user_id, tx.session);
    if (!user) throw new ApiError('UNAUTHORIZED');
    return work(tx, user);
  };
  return commit(ctx, change, { queueKey: user_id });
}

/** Returns the caller's account. Throws UNAUTHORIZED when it is gone. */
export async function ownUser({ store }: AccountsContext, ctx: RequestContext): Promise<UserRecord> {
  const user = await store.users.byId(signedIn(ctx).user_id);
  if (!user) throw new ApiError('UNAUTHORIZED');
  return user;
}

/** Adds a user in a transaction. `event` overrides the actor and the audit action. Throws CONFLICT. */
export async function insertUser(
  service: AccountsContext,
  tx: Transaction,
  {
    passwordHash,
    ...input
  }: { email: string; name: string; language?: Language; passwordHash: string | null },
  event: { actor?: Actor; action?: AuditAction } = {},
): Promise<UserRecord> {
  const createdAt = timestamp(service);
  const user: UserRecord = {
    id: newId(),
    language: 'en',
    density: 'comfortable',
    ...input,
    password_hash: passwordHash,
    password_changed_at: null,
    mail_refused_at: null,
    totp: null,
    former_emails: [],
    revision: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
  await service.store.users.insert(user, tx.session);
  tx.emit('user.signed_up', { ...userEvent(user, userView(user)), ...event });
  return user;
}

/** The user as the actor of an event, even if the request (a sign-up or sign-in) is anonymous. */
export function actorOfUser(user: UserRecord): Actor {
  return { type: 'session', id: user.id, name: user.name, key_prefix: null };
}

/** An event about a user's own account; it belongs to no workspace. */
export function userEvent<T>(user: UserRecord, data: T) {
  const subject = { type: 'user' as const, id: user.id, version: user.revision };
  return { workspaceId: null, actor: actorOfUser(user), subject, data };
}

/** The context of an operator's change. Its audit entries are in the chain `user:service`. */
export function operatorContext(audit: AuditAction) {
  const context = serviceContext('accounts', '', audit);
  return { ...context, actor: { ...context.actor, name: 'operator' } };
}
