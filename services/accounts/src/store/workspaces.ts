import type { Plan } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';

export interface WorkspaceRecord {
  id: string;
  name: string;
  plan: Plan;
  /**
   * Rises with every change of the workspace, its members and its keys: such transactions take turns over it, and
   * caches compare it.
   */
  revision: number;
  created_at: string;
  updated_at: string;
}

const WORKSPACES = 'workspaces';
export const workspaceIndexes: Indexes = { [WORKSPACES]: [] };

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

export function workspaceStore(database: Database) {
  const workspaces = database.collection<Stored<WorkspaceRecord>>(WORKSPACES);
  return {
    async byId(id: string, session?: DatabaseSession): Promise<WorkspaceRecord | null> {
      const found = await workspaces.findOne({ _id: id }, inSession(session));
      return found && fromDocument<WorkspaceRecord>(found);
    },

    async byIds(ids: string[]): Promise<WorkspaceRecord[]> {
      const found = await workspaces
        .find({ _id: { $in: ids } })
        .sort({ _id: 1 })
        .toArray();
      return found.map((document) => fromDocument<WorkspaceRecord>(document));
    },

    async insert(workspace: WorkspaceRecord, session: DatabaseSession): Promise<void> {
      await workspaces.insertOne(toDocument(workspace), { session });
    },

    /** Takes the workspace's turn: a transaction that raises it conflicts with every other that does. */
    async raise(id: string, session: DatabaseSession): Promise<WorkspaceRecord | null> {
      const options = { session, returnDocument: 'after' } as const;
      const found = await workspaces.findOneAndUpdate({ _id: id }, { $inc: { revision: 1 } }, options);
      return found && fromDocument<WorkspaceRecord>(found);
    },

    async update(
      id: string,
      set: Partial<Pick<WorkspaceRecord, 'name' | 'plan' | 'updated_at'>>,
      session: DatabaseSession,
    ): Promise<void> {
      await workspaces.updateOne({ _id: id }, { $set: set }, { session });
    },
  };
}
