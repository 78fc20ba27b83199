import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type InWorkflow, type NodeRecord, recordDefaults } from '../records.ts';
import { graphRecordStore } from './graph-records.ts';

export const NODES = 'nodes';
export const nodeIndexes: Indexes = { [NODES]: [{ key: { workspace_id: 1, workflow_id: 1, _id: 1 } }] };

export function nodeStore(database: Database, cursors: CursorCodec) {
  const nodes = database.collection<Stored<NodeRecord>>(NODES);
  const { find, ...records } = graphRecordStore<NodeRecord>(database, cursors, {
    name: NODES,
    defaults: recordDefaults.node,
  });

  return {
    ...records,

    /** Returns nodes of all workspaces with ids after `after`, sorted by id. */
    snapshot: (after: string, limit: number): Promise<NodeRecord[]> =>
      find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }),

    /** Returns nodes of any workspace. */
    byIds: (ids: readonly string[], session?: ClientSession): Promise<NodeRecord[]> =>
      find({ _id: { $in: [...ids] } }, { ...(session && { session }) }),

    /** Returns the nodes of the workflow among `ids`. */
    pick: ({ workspace_id, workflow_id }: InWorkflow, ids: readonly string[], session: ClientSession) =>
      find({ workspace_id, workflow_id, _id: { $in: [...ids] } }, { session }),

    /** Returns titles by id, for a message. */
    async titles(
      { workspace_id, workflow_id }: InWorkflow,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<Map<string, string>> {
      const filter = { workspace_id, workflow_id, _id: { $in: [...ids] } };
      const found = await nodes.find(filter, { session, projection: { title: 1 } }).toArray();
      return new Map(found.map(({ _id, title }) => [_id, title]));
    },

    async versions(
      { workspace_id, workflow_id }: InWorkflow,
      session: ClientSession,
    ): Promise<{ id: string; version: number }[]> {
      const projection = { version: 1 };
      const found = await nodes.find({ workspace_id, workflow_id }, { session, projection }).toArray();
      return found.map(({ _id, version }) => ({ id: _id, version }));
    },
  };
}
