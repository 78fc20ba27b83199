import type { Database, Indexes } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type InWorkflow, type NodeRecord, recordDefaults } from '../records.ts';
import { graphRecordStore } from './graph-records.ts';

export const NODES = 'nodes';
export const nodeIndexes: Indexes = {
  [NODES]: [
    { key: { workspace_id: 1, workflow_id: 1, _id: 1 } },
    {
      // Finds the open ones of a person without reading the others.
      key: { workspace_id: 1, assigned_to: 1, workflow_id: 1, _id: 1, status: 1 },
      partialFilterExpression: { assigned_to: { $gt: '' } },
    },
    {
      key: { workspace_id: 1, external_id: 1 },
      unique: true,
      partialFilterExpression: { external_id: { $gt: '' } },
    },
  ],
};

export function nodeStore(database: Database) {
  const { find, ...records } = graphRecordStore<NodeRecord>(database, NODES, recordDefaults.node);
  return {
    ...records,

    /** Returns nodes of all workspaces with ids after `after`, sorted by id. */
    snapshot: (after: string, limit: number) => find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }),

    byIds: (ids: readonly string[], session?: ClientSession) => find({ _id: { $in: [...ids] } }, { session }),

    byExternalIds: (workspace_id: string, externalIds: readonly string[], session: ClientSession) =>
      find({ workspace_id, external_id: { $in: [...externalIds] } }, { session }),

    async byExternalId(workspace_id: string, external_id: string, session?: ClientSession) {
      const [found] = await find({ workspace_id, external_id }, { limit: 1, session });
      return found ?? null;
    },

    pick: ({ workspace_id, workflow_id }: InWorkflow, ids: readonly string[], session: ClientSession) =>
      find({ workspace_id, workflow_id, _id: { $in: [...ids] } }, { session }),
  };
}
