import { type Actor, ApiError, type Member, newId, type Role, roleReaches, roles } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import {
  changesBetween,
  type PageRequest,
  subjectOf,
  type Transaction,
  viewPage,
} from '@waymark/service-kit/store';
import { endSettingsOf, limitKeysOf, revokeKeysOf } from './api-keys.ts';
import { changeRecord, type Reference, type WorkspaceChange } from './change-workspace.ts';
import { type AccountsContext, timestamp } from './context.ts';
import { checkUnrestricted } from './key-restrictions.ts';
import type { MemberRecord } from './store/members.ts';
import type { UserRecord } from './store/users.ts';
import type { WorkspaceRecord } from './store/workspaces.ts';
import { userTag, workspaceTag } from './tags.ts';
import { memberView } from './views.ts';
import { checkOwnedWorkspaces } from './workspaces/workspaces.ts';

export async function listMembers({ store }: AccountsContext, ctx: RequestContext, page: PageRequest) {
  const found = await store.members.page(ctx.access.workspaceId, page);
  const users = await store.users.byIds(found.data.map((member) => member.user_id));
  return viewPage(found, (member) => memberView(member, users.get(member.user_id)!));
}

export async function listPeople(service: AccountsContext, ctx: RequestContext, page: PageRequest) {
  const { data, next_cursor } = await listMembers(service, ctx, page);
  return { data: data.map(({ user_id: id, name, role }) => ({ id, name, role })), next_cursor };
}

/** Needs the revisions of workspace and user incremented. Throws CONFLICT for a member, LIMIT_EXCEEDED. */
export async function insertMember(
  service: AccountsContext,
  tx: Transaction,
  { workspace, user, role }: { workspace: WorkspaceRecord; user: UserRecord; role: Role },
  { invitationId, actor }: { invitationId: string; actor: Actor },
): Promise<void> {
  const { config, store } = service;
  if (role === 'owner') await checkOwnedWorkspaces(service, tx, user);
  const addedAt = timestamp(service);
  const member: MemberRecord = {
    id: newId(),
    workspace_id: workspace.id,
    user_id: user.id,
    role,
    version: 1,
    created_at: addedAt,
    updated_at: addedAt,
  };
  await store.members.insert(member, tx.session);
  if ((await store.members.count(workspace.id, tx.session)) > config.membersPerWorkspace) {
    const message = `The workspace already has ${config.membersPerWorkspace} members, the maximum.`;
    throw new ApiError('LIMIT_EXCEEDED', { message });
  }
  tx.invalidate({ [workspaceTag(workspace.id)]: workspace.revision, [userTag(user.id)]: user.revision });
  const data = memberView(member, user);
  const invitation = { invitation_id: { before: null, after: invitationId } };
  tx.emit('workspace.member_added', {
    workspaceId: workspace.id,
    subject: subjectOf('member', member),
    data,
    changes: { ...changesBetween(null, data, ['user_id', 'email', 'role']), ...invitation },
    action: 'invitation.accept',
    actor,
  });
}

/** The same role changes nothing and emits no event. Throws CONFLICT for the last owner, LIMIT_EXCEEDED. */
export function updateMember(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  role: Role,
): Promise<Member> {
  const { members, users } = service.store;
  return changeRecord(service, ctx, reference, members.byId, async (change, member) => {
    const { tx } = change;
    const user = await userOf(service, tx, member);
    checkOwnerRole(change, member.role, role);
    if (member.role === role) return memberView(member, user);
    if (roleReaches(role, member.role)) checkUnrestricted(change.key);
    const { user_id: created_by, workspace_id } = member;
    if (!roleReaches(role, 'admin')) await endSettingsOf(service, tx, { created_by, workspace_id });
    if (member.role === 'owner') await checkAnotherOwner(service, change);
    if (role === 'owner') {
      await users.update(user.id, tx.session);
      await checkOwnedWorkspaces(service, tx, user);
    }
    const updated = { ...member, role, version: member.version + 1, updated_at: timestamp(service) };
    await members.replace(updated, tx.session);
    change.invalidateMembers();
    const data = memberView(updated, user);
    const changes = changesBetween(member, updated, ['role']);
    tx.emit('workspace.member_updated', { subject: subjectOf('member', updated), data, changes });
    return data;
  });
}

/**
 * Everyone may leave; only an admin may remove another member, and keep the keys that the member created.
 * Throws CONFLICT for the last owner.
 */
export function removeMember(
  service: AccountsContext,
  ctx: RequestContext,
  reference: Reference,
  keys: 'revoke' | 'keep',
) {
  return changeRecord(service, ctx, reference, service.store.members.byId, async (change, member) => {
    if (change.key) checkOwnerRole(change, member.role);
    if (member.user_id !== change.callerId) {
      if (!roleReaches(change.role, 'admin')) {
        const message = `Removing another member needs the role admin; yours is ${change.role}.`;
        throw new ApiError('FORBIDDEN', { reason: 'role', message });
      }
      checkOwnerRole(change, member.role);
    } else if (keys === 'keep') {
      const message =
        'You cannot keep your own keys when you leave; ask an admin to remove you and keep them.';
      throw new ApiError('FORBIDDEN', { reason: 'role', message });
    }
    if (member.role === 'owner') await checkAnotherOwner(service, change);
    await deleteMember(service, change.tx, member, await userOf(service, change.tx, member));
    const own = { workspace_id: member.workspace_id, id: member.user_id };
    if (keys === 'revoke') await revokeKeysOf(service, change.tx, own);
    else await limitKeysOf(service, change.tx, own, member.role);
    await endSettingsOf(service, change.tx, { created_by: own.id, workspace_id: own.workspace_id });
    change.invalidateMembers();
  });
}

/** Removes a member in a transaction, by default in the name of the caller. */
export async function deleteMember(
  { store }: AccountsContext,
  tx: Transaction,
  member: MemberRecord,
  user: UserRecord,
  by?: Actor,
): Promise<void> {
  await store.members.remove(member, tx.session);
  await store.savedViews.removeOf(member.workspace_id, member.user_id, tx.session);
  const data = memberView(member, user);
  tx.emit('workspace.member_removed', {
    workspaceId: member.workspace_id,
    subject: subjectOf('member', { ...member, version: member.version + 1 }),
    data,
    changes: changesBetween(data, null, ['user_id', 'email', 'role']),
    action: 'member.remove',
    ...(by && { actor: by }),
  });
}

/** Answers another process that has no cached membership. The default is the user's only workspace. */
export async function resolveMembership(
  { store }: AccountsContext,
  userId: string,
  workspaceId: string | null,
) {
  // The user is read first, so that a workspace that is added meanwhile makes the answer stale.
  const user = await store.users.byId(userId);
  const members = workspaceId === null ? await store.members.ofUser(userId, undefined, 2) : [];
  const ids = workspaceId === null ? members.map((member) => member.workspace_id) : [workspaceId];
  const found = await Promise.all(ids.map((id) => store.members.lookUp(userId, id)));
  const tags: Record<string, number> =
    workspaceId === null && user ? { [userTag(userId)]: user.revision } : {};
  for (const [i, { revision }] of found.entries()) {
    if (revision !== null) tags[workspaceTag(ids[i]!)] = revision;
  }
  const only = found.length === 1 ? found[0] : null;
  return {
    membership: only?.membership ?? null,
    member_since: only?.since ?? null,
    password_changed_at: user?.password_changed_at ?? null,
    tags,
  };
}

/** Returns the present members among these users, or with at least a role, with their names. */
export async function findMembers(
  { store }: AccountsContext,
  workspaceId: string,
  { user_ids, role }: { user_ids?: string[] | undefined; role?: Role | undefined },
) {
  const anyOf = role && roles.filter((one) => roleReaches(one, role));
  const members = await store.members.among(workspaceId, user_ids, anyOf);
  const users = await store.users.byIds(members.map(({ user_id }) => user_id));
  return {
    members: members.map(({ user_id, role }) => ({ user_id, role, name: users.get(user_id)?.name ?? '' })),
  };
}

export function checkOwnerRole(change: WorkspaceChange, ...roles: Role[]): void {
  if (change.role === 'owner' || !roles.includes('owner')) return;
  const message = 'Only an owner may add, change or remove an owner.';
  throw new ApiError('FORBIDDEN', { reason: 'role', message });
}

async function userOf({ store }: AccountsContext, tx: Transaction, member: MemberRecord) {
  const user = await store.users.byId(member.user_id, tx.session);
  if (!user) throw new Error(`member ${member.id} has no user`);
  return user;
}

async function checkAnotherOwner({ store }: AccountsContext, { tx, workspace }: WorkspaceChange) {
  if ((await store.members.countOwners(workspace.id, tx.session)) > 1) return;
  const message = 'This is the last owner of the workspace; make someone else an owner first.';
  throw new ApiError('CONFLICT', { message });
}
