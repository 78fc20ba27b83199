import type { Actor } from '@waymark/contracts';
import { type CommitContext, serviceContext } from '@waymark/service-kit/store';
import type { UserRecord } from './store/users.ts';

/** The user as an event's actor, also where the request came from nobody yet: sign-up and sign-in. */
export function actorOfUser(user: UserRecord): Actor {
  return { type: 'session', id: user.id, name: user.name, key_prefix: null };
}

/** An event about a user's own affairs: it belongs to no workspace. */
export function userEvent<T>(user: UserRecord, data: T) {
  const subject = { type: 'user', id: user.id, version: user.revision };
  return { workspaceId: null, actor: actorOfUser(user), subject, data };
}

/** The cause of what an operator does: no request, in no workspace. Its entries stand in the chain `user:service`. */
export function operatorContext(audit: string): CommitContext {
  const context = serviceContext('accounts', '', audit);
  return { ...context, actor: { ...context.actor, name: 'operator' } };
}
