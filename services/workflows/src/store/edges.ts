import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type EdgeRecord, type InWorkflow, type Pair, recordDefaults } from '../records.ts';
import { graphRecordStore } from './graph-records.ts';

export const EDGES = 'edges';
const PAIR = { workspace_id: 1, workflow_id: 1, source_id: 1, target_id: 1 } as const;
export const edgeIndexes: Indexes = {
  [EDGES]: [{ key: { workspace_id: 1, workflow_id: 1, _id: 1 } }, { key: PAIR, unique: true }],
};

export function edgeStore(database: Database) {
  const edges = database.collection<Stored<EdgeRecord>>(EDGES);
  const { find, ...records } = graphRecordStore<EdgeRecord>(database, EDGES, recordDefaults.edge);
  return {
    ...records,

    async joins(of: InWorkflow, [source_id, target_id]: Pair, session: ClientSession): Promise<boolean> {
      const { workspace_id, workflow_id } = of;
      return (await find({ workspace_id, workflow_id, source_id, target_id }, { session })).length > 0;
    },

    /** Returns every edge as source and target, read only from the index. */
    async pairs({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<Pair[]> {
      const projection = { _id: 0, source_id: 1, target_id: 1 };
      const options = { session, projection, hint: PAIR };
      const found = await edges.find({ workspace_id, workflow_id }, options).toArray();
      return found.map(({ source_id, target_id }) => [source_id, target_id] as const);
    },

    touching: ({ workspace_id, workflow_id }: InWorkflow, nodeId: string, session: ClientSession) =>
      find(
        { workspace_id, workflow_id, $or: [{ source_id: nodeId }, { target_id: nodeId }] },
        { session, hint: PAIR },
      ),
  };
}
