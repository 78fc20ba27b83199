import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { recordDefaults, type WorkflowRecord } from '../records.ts';

export const WORKFLOWS = 'workflows';
export const workflowIndexes: Indexes = {
  [WORKFLOWS]: [{ key: { workspace_id: 1, created_at: -1, _id: -1 } }],
};

export function workflowStore(database: Database, cursors: CursorCodec) {
  const workflows = database.collection<Stored<WorkflowRecord>>(WORKFLOWS);
  const locks = database.locks<Stored<WorkflowRecord>>(WORKFLOWS);
  const recordOf = (found: Stored<WorkflowRecord>) =>
    fromDocument<WorkflowRecord>(found, recordDefaults.workflow);
  const record = (found: Stored<WorkflowRecord> | null) => found && recordOf(found);

  return {
    byId: async (id: string) => record(await workflows.findOne({ _id: id })),

    inWorkspace: async (workspace_id: string, id: string, session?: ClientSession) =>
      record(await workflows.findOne({ workspace_id, _id: id }, { ...(session && { session }) })),

    /** Returns workflows of all workspaces with ids after `after`, sorted by id. */
    async snapshot(after: string, limit: number): Promise<WorkflowRecord[]> {
      const found = workflows.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      return (await found.toArray()).map(recordOf);
    },

    page: (workspaceId: string, page: PageRequest) =>
      keysetPage<WorkflowRecord>({
        collection: workflows,
        filter: { workspace_id: workspaceId },
        sort: [
          ['created_at', -1],
          ['_id', -1],
        ],
        page,
        cursors,
        scope: `workflows/${workspaceId}`,
        defaults: recordDefaults.workflow,
      }),

    async insert(workflow: WorkflowRecord, session: ClientSession): Promise<void> {
      await workflows.insertOne(toDocument(workflow), { session });
    },

    /** Makes the transaction conflict with every other transaction that locks the workflow. */
    async lock(workspace_id: string, id: string, session: ClientSession): Promise<WorkflowRecord | null> {
      const options = { session, returnDocument: 'after' } as const;
      const increased = { $inc: { revision: 1 } };
      return record(await locks.findOneAndUpdate({ workspace_id, _id: id }, increased, options));
    },

    async replace(workflow: WorkflowRecord, session: ClientSession): Promise<void> {
      const { workspace_id, id: _id } = workflow;
      await workflows.replaceOne({ workspace_id, _id }, toDocument(workflow), { session });
    },

    async remove({ workspace_id, id: _id }: WorkflowRecord, session: ClientSession): Promise<void> {
      await workflows.deleteOne({ workspace_id, _id }, { session });
    },
  };
}
