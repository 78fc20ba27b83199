import type { Actor } from '@waymark/contracts';
import { type CommitContext, serviceContext } from '@waymark/service-kit/store';
import type { UserRecord } from './store/users.ts';

/** The user as the actor of an event, even if the request (a sign-up or sign-in) is anonymous. */
export function actorOfUser(user: UserRecord): Actor {
  return { type: 'session', id: user.id, name: user.name, key_prefix: null };
}

/** An event about a user's own account; it belongs to no workspace. */
export function userEvent<T>(user: UserRecord, data: T) {
  const subject = { type: 'user', id: user.id, version: user.revision };
  return { workspaceId: null, actor: actorOfUser(user), subject, data };
}

/** The context of an operator's change. Its audit entries are in the chain `user:service`. */
export function operatorContext(audit: string): CommitContext {
  const context = serviceContext('accounts', '', audit);
  return { ...context, actor: { ...context.actor, name: 'operator' } };
}
