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
import { type NodeRecord, type RecordChanges, recordDefaults } from '../records.ts';
import { applyChanges } from './apply-changes.ts';
import type { InWorkflow } from './in-workflow.ts';

export const NODES = 'nodes';
export const nodeIndexes: Indexes = { [NODES]: [{ key: { workspace_id: 1, workflow_id: 1, _id: 1 } }] };

export function nodeStore(database: Database, cursors: CursorCodec) {
  const nodes = database.collection<Stored<NodeRecord>>(NODES);
  const record = (document: Stored<NodeRecord>) => fromDocument<NodeRecord>(document, recordDefaults.node);
  const records = (found: Stored<NodeRecord>[]) => found.map(record);

  return {
    async byId(id: string): Promise<NodeRecord | null> {
      const found = await nodes.findOne({ _id: id });
      return found && record(found);
    },

    /** Of all workspaces, by id, behind one. */
    async snapshot(after: string, limit: number): Promise<NodeRecord[]> {
      return records(
        await nodes
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
    },

    /** In any workspace. */
    async byIds(ids: readonly string[], session?: ClientSession): Promise<NodeRecord[]> {
      return records(await nodes.find({ _id: { $in: ids } }, { ...(session && { session }) }).toArray());
    },

    /** Those of `ids` that are in the workflow. */
    async pick(
      { workspace_id, workflow_id }: InWorkflow,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<NodeRecord[]> {
      return records(
        await nodes.find({ workspace_id, workflow_id, _id: { $in: ids } }, { session }).toArray(),
      );
    },

    /** The whole workflow's, by id. */
    async all({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<NodeRecord[]> {
      return records(await nodes.find({ workspace_id, workflow_id }, { session }).sort({ _id: 1 }).toArray());
    },

    /** Titles by id, for a message. */
    async titles(
      { workspace_id, workflow_id }: InWorkflow,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<Map<string, string>> {
      const filter = { workspace_id, workflow_id, _id: { $in: ids } };
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

    page({ workspace_id, workflow_id }: InWorkflow, page: PageRequest): Promise<KeysetPage<NodeRecord>> {
      return keysetPage<NodeRecord>({
        collection: nodes,
        filter: { workspace_id, workflow_id },
        sort: [['_id', 1]],
        page,
        cursors,
        scope: `nodes/${workflow_id}`,
        defaults: recordDefaults.node,
      });
    },

    async removeAll({ workspace_id, workflow_id }: InWorkflow, session: ClientSession): Promise<void> {
      await nodes.deleteMany({ workspace_id, workflow_id }, { session });
    },

    apply: (changes: RecordChanges<NodeRecord>, session: ClientSession) =>
      applyChanges<NodeRecord>(nodes, changes, session),
  };
}
