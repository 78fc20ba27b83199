import { ApiError, newId } from '@waymark/contracts';
import type { DatabaseSession } from '@waymark/service-kit/store';
import { revokeKeysOf } from './api-keys.ts';
import { type AccountsContext, timestamp } from './context.ts';
import { deleteMember } from './members.ts';
import { endSessions } from './sessions/sessions.ts';
import type { MemberRecord } from './store/members.ts';
import type { UserRecord } from './store/users.ts';
import { workspaceTag } from './tags.ts';
import { operatorContext, userEvent } from './users.ts';

/** Marks an erased account, because no other account has it. It is not a hash, so no password matches it. */
const NO_PASSWORD = '!';

export async function findUser({ store }: AccountsContext, emailOrId: string) {
  const user = (await store.users.byEmail(emailOrId.toLowerCase())) ?? (await store.users.byId(emailOrId));
  if (!user) throw new ApiError('NOT_FOUND', { message: `no user has the email or id ${emailOrId}` });
  return user;
}

/** Throws NOT_FOUND, and CONFLICT naming the workspaces that would be left without an owner. */
export async function findErasable(service: AccountsContext, emailOrId: string) {
  const user = await findUser(service, emailOrId);
  await checkNoneOrphaned(service, await service.store.members.ofUser(user.id));
  return { userId: user.id, emails: await addressesOf(service, user) };
}

/** The address and the former ones, without those that are now somebody else's. */
async function addressesOf({ store }: AccountsContext, user: UserRecord, session?: DatabaseSession) {
  const addresses = [user.email];
  for (const former of user.former_emails) {
    if (!(await store.users.byEmail(former, session))) addresses.push(former);
  }
  return addresses;
}

/**
 * Removes an account's name, email, credentials and memberships; what the person did stays, under the user's
 * id. May be repeated. Throws as `findErasable`.
 */
export async function erasePerson(service: AccountsContext, userId: string): Promise<void> {
  const { store, commit } = service;
  const known = await findUser(service, userId);
  if (known.password_hash === NO_PASSWORD) return;
  const ctx = operatorContext('user.erase');
  await commit(ctx, async (tx) => {
    const now = timestamp(service);
    // A random address, so that nobody can sign up with it beforehand.
    const erased = { email: `${newId()}@erased.invalid`, name: 'Erased person', password_hash: NO_PASSWORD };
    // The time of the password ends every mailed link, also one that is being written.
    const set = { ...erased, former_emails: [], totp: null, password_changed_at: now, updated_at: now };
    const user = await store.users.update(userId, tx.session, { set });
    if (!user) throw new ApiError('NOT_FOUND');
    tx.emit('user.erased', { ...userEvent(user, { id: userId }), actor: ctx.actor });
    const members = await store.members.ofUser(userId, tx.session);
    for (const { workspace_id } of members) {
      const workspace = await store.workspaces.incrementRevision(workspace_id, tx.session);
      if (workspace) tx.invalidate({ [workspaceTag(workspace_id)]: workspace.revision });
    }
    await checkNoneOrphaned(service, members, tx.session);
    for (const member of members) {
      await deleteMember(service, tx, member, user, ctx.actor);
      await revokeKeysOf(service, tx, { workspace_id: member.workspace_id, id: userId }, ctx.actor);
    }
    const addresses = await addressesOf(service, known, tx.session);
    for (const address of addresses) await store.invitations.forgetEmail(address, tx.session);
    await store.mails.forget(userId, addresses, tx.session);
    await store.identities.removeOf(userId, tx.session);
    await store.passkeys.removeOf(userId, tx.session);
    await endSessions(service, tx, await store.sessions.activeOf(userId, now, tx.session));
    await store.sessions.forgetClients(userId, tx.session);
  });
}

/** Throws CONFLICT when one of the members is the only owner of a workspace. */
async function checkNoneOrphaned(
  { store }: AccountsContext,
  members: readonly MemberRecord[],
  session?: DatabaseSession,
): Promise<void> {
  const orphaned: string[] = [];
  for (const { workspace_id, role } of members) {
    const isLastOwner = role === 'owner' && (await store.members.countOwners(workspace_id, session)) < 2;
    if (isLastOwner) orphaned.push(workspace_id);
  }
  if (orphaned.length === 0) return;
  const message = `the only owner of ${orphaned.join(', ')}: give them another owner, or delete them, first`;
  throw new ApiError('CONFLICT', { message });
}
