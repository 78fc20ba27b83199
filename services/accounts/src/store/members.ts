import { ApiError, type Member, type Membership, type Role } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  isDuplicate,
  type PageRequest,
  recordCollection,
} from '@waymark/service-kit/store';
import type { ServiceAccountStore } from './service-accounts.ts';
import { settingsOf, type WorkspaceRecord, type WorkspaceStore } from './workspaces.ts';

export interface MemberRecord extends Omit<Member, 'email' | 'name' | 'mail_refused_at'> {
  version: number;
}

const membershipOf = ({ role }: { role: Role }, workspace: WorkspaceRecord): Membership => ({
  ...{ workspace_id: workspace.id, role, plan: workspace.plan },
  ...settingsOf(workspace),
  ...(workspace.require_second_factor && { requires_second_factor: true as const }),
});

const OLDEST = { _id: 1 } as const;

export function memberStore(
  database: Database,
  { workspaces, serviceAccounts }: { workspaces: WorkspaceStore; serviceAccounts: ServiceAccountStore },
) {
  const members = recordCollection<MemberRecord>(database, 'members');
  return {
    byId: members.byId,
    replace: members.replace,
    remove: members.remove,

    /** All, or the `limit` oldest. */
    ofUser: (userId: string, session?: DatabaseSession, limit = 0) =>
      members.find({ user_id: userId }, { sort: OLDEST, limit, session }),

    /**
     * Finds the membership of a user or a service account, since when, and the workspace's revision; null
     * when there is no such workspace. Reads the workspace first, so that the revision is never newer than
     * the role.
     */
    async lookUp(id: string, workspaceId: string, session?: DatabaseSession) {
      const workspace = await workspaces.byId(workspaceId, session);
      if (!workspace) return { membership: null, since: null, revision: null };
      const member =
        (await members.findOne({ workspace_id: workspaceId, user_id: id }, session)) ??
        (await serviceAccounts.inWorkspace(workspaceId, id, session));
      const membership = member && membershipOf(member, workspace);
      return { membership, since: member?.created_at ?? null, revision: workspace.revision };
    },

    /** The memberships of a user in all workspaces. */
    async lookUpAll(userId: string): Promise<Membership[]> {
      const own = await members.find({ user_id: userId }, { sort: OLDEST });
      const found = await workspaces.byIds(own.map(({ workspace_id }) => workspace_id));
      const byId = new Map(found.map((workspace) => [workspace.id, workspace]));
      return own.flatMap((member) => {
        const workspace = byId.get(member.workspace_id);
        return workspace ? [membershipOf(member, workspace)] : [];
      });
    },

    /** The members of a workspace: of those among `userIds`, with one of `anyOf` as their role. */
    among: (workspaceId: string, userIds?: string[], anyOf?: Role[]) =>
      members.find(
        {
          workspace_id: workspaceId,
          ...(userIds && { user_id: { $in: userIds } }),
          ...(anyOf && { role: { $in: anyOf } }),
        },
        { sort: OLDEST },
      ),

    page(workspaceId: string, page: PageRequest) {
      const scope = `members/${workspaceId}`;
      return members.page({ workspace_id: workspaceId }, 1, page, scope);
    },

    count: (workspaceId: string, session: DatabaseSession) =>
      members.count({ workspace_id: workspaceId }, session),

    owners: (workspaceId: string, session?: DatabaseSession) =>
      members.find({ workspace_id: workspaceId, role: 'owner' }, { sort: OLDEST, session }),

    countOwners: (workspaceId: string, session?: DatabaseSession) =>
      members.count({ workspace_id: workspaceId, role: 'owner' }, session),

    countOwned: (userId: string, session: DatabaseSession) =>
      members.count({ user_id: userId, role: 'owner' }, session),

    async insert(member: MemberRecord, session: DatabaseSession): Promise<void> {
      try {
        await members.insert(member, session);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        throw new ApiError('CONFLICT', { message: 'This user is already a member of the workspace.' });
      }
    },

    /** Increments the version of each membership of a user, whose name is part of it, and returns them. */
    async touchOf(user_id: string, updated_at: string, session: DatabaseSession): Promise<MemberRecord[]> {
      const change = { $inc: { version: 1 }, $set: { updated_at } };
      await members.collection.updateMany({ user_id }, change, { session });
      return members.find({ user_id }, { sort: OLDEST, session });
    },
  };
}
