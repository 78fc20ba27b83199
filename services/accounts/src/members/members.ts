import {
  type Actor,
  ApiError,
  type CursorCodec,
  type Member,
  newId,
  type Role,
  roleReaches,
} from '@waymark/contracts';
import { authorizeRecord, type RequestContext } from '@waymark/service-kit/http';
import { changesBetween, type PageRequest, type Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { MemberRecord } from '../store/members.ts';
import type { UserRecord } from '../store/users.ts';
import type { WorkspaceRecord } from '../store/workspaces.ts';
import { workspaceTag } from '../tags.ts';
import { memberView } from '../views.ts';
import type { ChangeWorkspace, WorkspaceChange } from '../workspaces/change-workspace.ts';
import { ownedCap } from '../workspaces/owned-cap.ts';

export type Members = ReturnType<typeof createMembers>;

export function createMembers(options: {
  store: Store;
  changeWorkspace: ChangeWorkspace;
  cursors: CursorCodec;
  config: AccountsConfig;
  now: () => number;
}) {
  const { store, changeWorkspace, cursors, config, now } = options;
  const checkOwnedCap = ownedCap({ store, config });
  const subject = ({ id, version }: MemberRecord) => ({ type: 'member', id, version });

  async function userOf(member: MemberRecord, change: WorkspaceChange): Promise<UserRecord> {
    const user = await store.users.byId(member.user_id, change.tx.session);
    if (!user) throw new Error(`member ${member.id} has no user`);
    return user;
  }

  /** The member as this transaction sees it; removed meanwhile is NOT_FOUND. */
  async function memberIn(change: WorkspaceChange, id: string): Promise<MemberRecord> {
    const member = await store.members.byId(id, change.tx.session);
    if (!member) throw new ApiError('NOT_FOUND');
    return member;
  }

  async function requireAnotherOwner({ tx, workspace }: WorkspaceChange): Promise<void> {
    if ((await store.members.countOwners(workspace.id, tx.session)) > 1) return;
    throw new ApiError('CONFLICT', {
      message: 'This is the last owner of the workspace; make someone else an owner first.',
    });
  }

  /** A new member, in a transaction that has raised both workspace and user. Throws CONFLICT for a member, LIMIT_EXCEEDED. */
  async function insert(
    tx: Transaction,
    joining: {
      workspace: WorkspaceRecord;
      user: UserRecord;
      role: Role;
      event?: { action: string; actor: Actor; invitationId: string };
    },
  ): Promise<Member> {
    const { workspace, user, role, event } = joining;
    if (role === 'owner') await checkOwnedCap(user, tx);
    const addedAt = new Date(now()).toISOString();
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
      throw new ApiError('LIMIT_EXCEEDED', {
        message: `The workspace has ${config.membersPerWorkspace} members, as many as it may.`,
      });
    }
    tx.invalidate({ [workspaceTag(workspace.id)]: workspace.revision });
    const data = memberView(member, user);
    const invitation = event && { invitation_id: { before: null, after: event.invitationId } };
    tx.emit('workspace.member_added', {
      workspaceId: workspace.id,
      subject: subject(member),
      data,
      changes: { ...changesBetween(null, data, ['user_id', 'email', 'role']), ...invitation },
      ...(event && { action: event.action, actor: event.actor }),
    });
    return data;
  }

  return {
    insert,

    async isFull(workspaceId: string, tx: Transaction): Promise<boolean> {
      return (await store.members.count(workspaceId, tx.session)) >= config.membersPerWorkspace;
    },

    async list(ctx: RequestContext, page: PageRequest) {
      const { items, next_cursor } = await store.members.page(ctx.access.workspaceId, page, cursors);
      const users = await store.users.byIds(items.map((member) => member.user_id));
      return { data: items.map((member) => memberView(member, users.get(member.user_id)!)), next_cursor };
    },

    /** Throws NOT_FOUND for an email that nobody signed up with, CONFLICT for a member, LIMIT_EXCEEDED. */
    add(ctx: RequestContext, input: { email: string; role: Role }): Promise<Member> {
      return changeWorkspace(ctx, async (change) => {
        const { tx, workspace } = change;
        checkOwnersTouch(change, input.role);
        const found = await store.users.byEmail(input.email, tx.session);
        const user = found && (await store.users.raise(found.id, tx.session));
        if (!user) {
          throw new ApiError('NOT_FOUND', {
            message: `Nobody has signed up as ${input.email}; ask them to sign up, then add them.`,
          });
        }
        return insert(tx, { workspace, user, role: input.role });
      });
    },

    /** The role of now again changes nothing and leaves no event. Throws CONFLICT for the last owner, LIMIT_EXCEEDED. */
    async update(
      ctx: RequestContext,
      id: string,
      input: { workspace_id?: string | undefined; role: Role },
    ): Promise<Member> {
      await authorizeRecord(ctx, await store.members.byId(id), input.workspace_id);
      return changeWorkspace(ctx, async (change) => {
        const member = await memberIn(change, id);
        const user = await userOf(member, change);
        checkOwnersTouch(change, member.role, input.role);
        if (member.role === input.role) return memberView(member, user);
        if (member.role === 'owner') await requireAnotherOwner(change);
        if (input.role === 'owner') {
          await store.users.raise(user.id, change.tx.session);
          await checkOwnedCap(user, change.tx);
        }
        const updated: MemberRecord = {
          ...member,
          role: input.role,
          version: member.version + 1,
          updated_at: new Date(now()).toISOString(),
        };
        await store.members.replace(updated, change.tx.session);
        change.invalidateMembers();
        const data = memberView(updated, user);
        const changes = changesBetween(member, updated, ['role']);
        change.tx.emit('workspace.member_updated', { subject: subject(updated), data, changes });
        return data;
      });
    },

    /** Everyone may leave; to remove another takes an admin. Throws CONFLICT for the last owner. */
    async remove(ctx: RequestContext, id: string, named: string | undefined): Promise<void> {
      await authorizeRecord(ctx, await store.members.byId(id), named);
      return changeWorkspace(ctx, async (change) => {
        const member = await memberIn(change, id);
        if (member.user_id !== change.userId) {
          if (!roleReaches(change.role, 'admin')) {
            throw new ApiError('FORBIDDEN', {
              message: `Removing another member needs the role admin; yours is ${change.role}.`,
            });
          }
          checkOwnersTouch(change, member.role);
        }
        if (member.role === 'owner') await requireAnotherOwner(change);
        const user = await userOf(member, change);
        await store.members.remove(id, change.tx.session);
        change.invalidateMembers();
        const data = memberView(member, user);
        const removed = { ...member, version: member.version + 1 };
        const changes = changesBetween(data, null, ['user_id', 'email', 'role']);
        change.tx.emit('workspace.member_removed', { subject: subject(removed), data, changes });
      });
    },
  };
}

/** Owners are made, changed and removed by owners only. */
export function checkOwnersTouch(change: WorkspaceChange, ...touched: Role[]): void {
  if (change.role === 'owner' || !touched.includes('owner')) return;
  throw new ApiError('FORBIDDEN', { message: 'Only an owner may make, change or remove an owner.' });
}
