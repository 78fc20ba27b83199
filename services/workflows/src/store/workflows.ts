import type { InputOf, Operations } from '@waymark/contracts';
import {
  containing,
  type Database,
  type Indexes,
  type PageRequest,
  recordCollection,
  type Sort,
  type Stored,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { recordDefaults, type WorkflowRecord } from '../records.ts';

export const WORKFLOWS = 'workflows';
export const workflowIndexes: Indexes = {
  [WORKFLOWS]: [
    { key: { workspace_id: 1, created_at: -1, _id: -1 } },
    { key: { workspace_id: 1, updated_at: -1, _id: -1 } },
  ],
};
type ListRequest = PageRequest & Pick<InputOf<Operations['listWorkflows']>['query'], 'sort' | 'text'>;

export function workflowStore(database: Database) {
  const workflows = recordCollection<WorkflowRecord>(database, WORKFLOWS, {
    defaults: recordDefaults.workflow,
  });
  const locks = database.locks<Stored<WorkflowRecord>>(WORKFLOWS);

  return {
    ...workflows,

    inWorkspace: (workspace_id: string, id: string, session?: ClientSession) =>
      workflows.findOne({ workspace_id, _id: id }, session),

    page: (workspaceId: string, { text, sort, ...page }: ListRequest) => {
      const filter = { workspace_id: workspaceId, ...(text !== undefined && { title: containing(text) }) };
      const order: Sort = [
        [sort.slice(1), -1],
        ['_id', -1],
      ];
      const scope = JSON.stringify(['workflows', workspaceId, sort, text]);
      return workflows.page(filter, order, page, scope);
    },

    /** Makes the transaction conflict with every other transaction that locks the workflow. */
    async lock(workspace_id: string, id: string, session: ClientSession): Promise<WorkflowRecord | null> {
      const options = { session, returnDocument: 'after' } as const;
      const increased = { $inc: { revision: 1 } };
      const found = await locks.findOneAndUpdate({ workspace_id, _id: id }, increased, options);
      return found && workflows.recordOf(found);
    },
  };
}
