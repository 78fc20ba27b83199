import { type Workspace, workspaceDefaults } from '@waymark/contracts';
import { type Database, type DatabaseSession, recordCollection } from '@waymark/service-kit/store';

export interface WorkspaceRecord extends Omit<Workspace, 'role'> {
  /** Increases with every change of the workspace, its members and its keys; caches compare it. */
  revision: number;
}

/** The settings of a workspace that principals carry; none for defaults. */
export const settingsOf = ({ quality_model, hidden_forecasts }: WorkspaceRecord) => ({
  ...(quality_model !== 'dq-1' && { quality_model }),
  ...(hidden_forecasts && { hidden_forecasts: true as const }),
});

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

export function workspaceStore(database: Database) {
  const workspaces = recordCollection<WorkspaceRecord>(database, 'workspaces', {
    defaults: workspaceDefaults,
  });
  return {
    byId: workspaces.byId,
    insert: workspaces.insert,

    byIds: (ids: string[]) => workspaces.find({ _id: { $in: ids } }, { sort: { _id: 1 } }),

    /** Makes this transaction conflict with every other change of the workspace. */
    incrementRevision: (id: string, session: DatabaseSession) =>
      workspaces.findAndUpdate({ _id: id }, { $inc: { revision: 1 } }, session),

    async update(id: string, set: Partial<WorkspaceRecord>, session: DatabaseSession): Promise<void> {
      await workspaces.collection.updateOne({ _id: id }, { $set: set }, { session });
    },
  };
}
