import { ApiError, newId } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import { type AccountsContext, timestamp } from './context.ts';
import { operatorContext, userEvent } from './events.ts';
import { deleteMember } from './members/members.ts';
import { endSessions } from './sessions/sessions.ts';
import type { MemberRecord } from './store/members.ts';
import type { DatabaseSession } from './store/record-collection.ts';
import type { UserRecord } from './store/users.ts';
import { workspaceTag } from './tags.ts';

const ERASED_NAME = 'Erased person';
/** Marks an erased account, because no other account has it. It is not a hash, so no password matches it. */
const NO_PASSWORD = '!';

/** Finds a user by email or id. Throws NOT_FOUND. */
export async function findUser({ store }: AccountsContext, emailOrId: string): Promise<UserRecord> {
  const user = (await store.users.byEmail(emailOrId.toLowerCase())) ?? (await store.users.byId(emailOrId));
  if (!user) throw new ApiError('NOT_FOUND', { message: `no user has the email or id ${emailOrId}` });
  return user;
}

/** Throws NOT_FOUND, and CONFLICT naming the workspaces that would be left without an owner. */
export async function findErasable(
  service: AccountsContext,
  emailOrId: string,
): Promise<{ userId: string; email: string }> {
  const { id, email } = await findUser(service, emailOrId);
  const orphaned: string[] = [];
  for (const member of await service.store.members.ofUser(id)) {
    if (await isLastOwner(service, member)) orphaned.push(member.workspace_id);
  }
  checkNoneOrphaned(orphaned);
  return { userId: id, email };
}

/**
 * Removes an account's name, email, credentials and memberships; what the person did stays, under the user's
 * id. May be repeated. Throws NOT_FOUND, and CONFLICT naming the workspaces that would be left without an
 * owner.
 */
export async function erasePerson(service: AccountsContext, userId: string): Promise<void> {
  const { store, commit } = service;
  const { email, password_hash } = await findUser(service, userId);
  if (password_hash === NO_PASSWORD) return;
  const ctx = operatorContext('user.erase');
  await commit(ctx, async (tx) => {
    const now = timestamp(service);
    const user = await store.users.update(userId, tx.session, {
      // A random address, so that nobody can sign up with it beforehand.
      set: {
        email: `${newId()}@erased.invalid`,
        name: ERASED_NAME,
        password_hash: NO_PASSWORD,
        updated_at: now,
      },
    });
    if (!user) throw new ApiError('NOT_FOUND');
    tx.emit('user.erased', { ...userEvent(user, { id: userId }), actor: ctx.actor });
    await removeMemberships(service, tx, user);
    await store.invitations.forgetEmail(email, tx.session);
    await store.identities.removeOf(userId, tx.session);
    await endSessions(service, tx, await store.sessions.activeOf(userId, now, tx.session));
    await store.sessions.forgetClients(userId, tx.session);
  });
}

async function removeMemberships(service: AccountsContext, tx: Transaction, user: UserRecord): Promise<void> {
  const { store } = service;
  const { actor } = operatorContext('');
  const orphaned: string[] = [];
  for (const member of await store.members.ofUser(user.id, tx.session)) {
    const workspace = await store.workspaces.incrementRevision(member.workspace_id, tx.session);
    if (await isLastOwner(service, member, tx.session)) orphaned.push(member.workspace_id);
    await deleteMember(service, tx, member, user, { action: 'member.remove', actor });
    if (workspace) tx.invalidate({ [workspaceTag(workspace.id)]: workspace.revision });
  }
  checkNoneOrphaned(orphaned);
}

async function isLastOwner(
  { store }: AccountsContext,
  member: MemberRecord,
  session?: DatabaseSession,
): Promise<boolean> {
  return member.role === 'owner' && (await store.members.countOwners(member.workspace_id, session)) < 2;
}

function checkNoneOrphaned(workspaceIds: string[]): void {
  if (workspaceIds.length === 0) return;
  throw new ApiError('CONFLICT', {
    message: `the only owner of ${workspaceIds.join(', ')}: give them another owner, or delete them, first`,
  });
}
