import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { Pair } from '../graph/cycles.ts';
import { type EdgeRecord, type RecordChanges, recordDefaults } from '../records.ts';
import { applyChanges } from './apply-changes.ts';
import type { InWorkflow } from './in-workflow.ts';

export const EDGES = 'edges';
const PAIR = { workspace_id: 1, workflow_id: 1, source_id: 1, target_id: 1 } as const;
export const edgeIndexes: Indexes = {
  [EDGES]: [{ key: { workspace_id: 1, workflow_id: 1, _id: 1 } }, { key: PAIR, unique: true }],
};

export function edgeStore(database: Database, cursors: CursorCodec) {
  const edges = database.collection<Stored<EdgeRecord>>(EDGES);
  const record = (document: Stored<EdgeRecord>) => fromDocument<EdgeRecord>(document, recordDefaults.edge);
  const records = (found: Stored<EdgeRecord>[]) => found.map(record);

  return {
    async byId(id: string, session?: ClientSession): Promise<EdgeRecord | null> {
      const found = await edges.findOne({ _id: id }, { ...(session && { session }) });
      return found && record(found);
    },

    async joins(
      { workspace_id, workflow_id }: InWorkflow,
      [source_id, target_id]: Pair,
      session: ClientSession,
    ): Promise<boolean> {
      const filter = { workspace_id, workflow_id, source_id, target_id };
      return (await edges.findOne(filter, { session, projection: { _id: 1 } })) !== null;
    },

    /** Every edge as source and target, read from the index alone. */
    async pairs({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<Pair[]> {
      const projection = { _id: 0, source_id: 1, target_id: 1 };
      const found = await edges
        .find({ workspace_id, workflow_id }, { session, projection, hint: PAIR })
        .toArray();
      return found.map(({ source_id, target_id }) => [source_id, target_id] as const);
    },

    async touching(
      { workspace_id, workflow_id }: InWorkflow,
      nodeId: string,
      session: ClientSession,
    ): Promise<EdgeRecord[]> {
      const ends = [{ source_id: nodeId }, { target_id: nodeId }];
      return records(
        await edges.find({ workspace_id, workflow_id, $or: ends }, { session, hint: PAIR }).toArray(),
      );
    },

    /** The whole workflow's, by id. */
    async all({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<EdgeRecord[]> {
      return records(await edges.find({ workspace_id, workflow_id }, { session }).sort({ _id: 1 }).toArray());
    },

    page({ workspace_id, workflow_id }: InWorkflow, page: PageRequest): Promise<KeysetPage<EdgeRecord>> {
      return keysetPage<EdgeRecord>({
        collection: edges,
        filter: { workspace_id, workflow_id },
        sort: [['_id', 1]],
        page,
        cursors,
        scope: `edges/${workflow_id}`,
        defaults: recordDefaults.edge,
      });
    },

    async removeAll({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<void> {
      await edges.deleteMany({ workspace_id, workflow_id }, { session });
    },

    apply: (changes: RecordChanges<EdgeRecord>, session: ClientSession) =>
      applyChanges<EdgeRecord>(edges, changes, session),
  };
}
