import type { CursorCodec, Membership, Role } from '@waymark/contracts';
import { ApiError } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  isDuplicate,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';
import type { WorkspaceStore } from './workspaces.ts';

export interface MemberRecord {
  id: string;
  workspace_id: string;
  user_id: string;
  role: Role;
  version: number;
  created_at: string;
  updated_at: string;
}

const MEMBERS = 'members';
export const memberIndexes: Indexes = {
  [MEMBERS]: [
    { key: { workspace_id: 1, user_id: 1 }, unique: true },
    { key: { workspace_id: 1, _id: 1 } },
    { key: { user_id: 1 } },
  ],
};

export function memberStore(database: Database, workspaces: WorkspaceStore) {
  const members = database.collection<Stored<MemberRecord>>(MEMBERS);
  const record = (found: Stored<MemberRecord> | null) => found && fromDocument<MemberRecord>(found);

  return {
    async byId(id: string, session?: DatabaseSession): Promise<MemberRecord | null> {
      return record(await members.findOne({ _id: id }, inSession(session)));
    },

    async ofUser(userId: string, session?: DatabaseSession): Promise<MemberRecord[]> {
      const found = await members.find({ user_id: userId }, inSession(session)).toArray();
      return found.map((document) => fromDocument<MemberRecord>(document));
    },

    /**
     * A user's role in a workspace and its plan, since when, and the revision they hold for. The workspace is read first, so
     * that the revision is never newer than the role; null where there is no such workspace.
     */
    async standing(
      userId: string,
      workspaceId: string,
      session?: DatabaseSession,
    ): Promise<{ membership: Membership | null; since: string | null; revision: number | null }> {
      const workspace = await workspaces.byId(workspaceId, session);
      if (!workspace) return { membership: null, since: null, revision: null };
      const member = await members.findOne(
        { workspace_id: workspaceId, user_id: userId },
        inSession(session),
      );
      const membership = member && { workspace_id: workspaceId, role: member.role, plan: workspace.plan };
      return { membership, since: member?.created_at ?? null, revision: workspace.revision };
    },

    page(workspaceId: string, page: PageRequest, cursors: CursorCodec): Promise<KeysetPage<MemberRecord>> {
      const filter = { workspace_id: workspaceId };
      const scope = `members/${workspaceId}`;
      return keysetPage<MemberRecord>({
        collection: members,
        filter,
        sort: [['_id', 1]],
        page,
        cursors,
        scope,
      });
    },

    count(workspaceId: string, session: DatabaseSession): Promise<number> {
      return members.countDocuments({ workspace_id: workspaceId }, { session });
    },

    countOwners(workspaceId: string, session: DatabaseSession): Promise<number> {
      return members.countDocuments({ workspace_id: workspaceId, role: 'owner' }, { session });
    },

    countOwned(userId: string, session: DatabaseSession): Promise<number> {
      return members.countDocuments({ user_id: userId, role: 'owner' }, { session });
    },

    /** Throws CONFLICT when the user is a member already. */
    async insert(member: MemberRecord, session: DatabaseSession): Promise<void> {
      try {
        await members.insertOne(toDocument(member), { session });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        throw new ApiError('CONFLICT', { message: 'This user is a member of the workspace already.' });
      }
    },

    async replace(member: MemberRecord, session: DatabaseSession): Promise<void> {
      await members.replaceOne({ _id: member.id }, toDocument(member), { session });
    },

    async remove(id: string, session: DatabaseSession): Promise<void> {
      await members.deleteOne({ _id: id }, { session });
    },
  };
}
