import type { Workspace } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit/store';
import { type DatabaseSession, recordCollection } from './record-collection.ts';

export interface WorkspaceRecord extends Omit<Workspace, 'role'> {
  /**
   * Increases with every change of the workspace, its members and its keys: concurrent changes conflict and
   * run one after another, and caches compare it.
   */
  revision: number;
}

const WORKSPACES = 'workspaces';
export const workspaceIndexes: Indexes = { [WORKSPACES]: [] };

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

export function workspaceStore(database: Database) {
  const workspaces = recordCollection<WorkspaceRecord>(database, WORKSPACES);
  return {
    byId: workspaces.byId,
    insert: workspaces.insert,

    /** Oldest first. */
    byIds(ids: string[]): Promise<WorkspaceRecord[]> {
      return workspaces.find({ _id: { $in: ids } }, { sort: { _id: 1 } });
    },

    /** Makes this transaction conflict with every other change of the workspace. */
    incrementRevision(id: string, session: DatabaseSession): Promise<WorkspaceRecord | null> {
      return workspaces.findAndUpdate({ _id: id }, { $inc: { revision: 1 } }, session);
    },

    async update(
      id: string,
      set: Partial<Pick<WorkspaceRecord, 'name' | 'plan' | 'updated_at'>>,
      session: DatabaseSession,
    ): Promise<void> {
      await workspaces.collection.updateOne({ _id: id }, { $set: set }, { session });
    },
  };
}
