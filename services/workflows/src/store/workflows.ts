import type { CursorCodec } from '@waymark/contracts';
import {
  type Database,
  type Indexes,
  type PageRequest,
  recordCollection,
  type Stored,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { recordDefaults, type WorkflowRecord } from '../records.ts';

export const WORKFLOWS = 'workflows';
export const workflowIndexes: Indexes = {
  [WORKFLOWS]: [{ key: { workspace_id: 1, created_at: -1, _id: -1 } }],
};

const NEWEST = [
  ['created_at', -1],
  ['_id', -1],
] as const;

export function workflowStore(database: Database, cursors: CursorCodec) {
  const workflows = recordCollection<WorkflowRecord>(database, WORKFLOWS, {
    defaults: recordDefaults.workflow,
  });
  const locks = database.locks<Stored<WorkflowRecord>>(WORKFLOWS);

  return {
    ...workflows,

    inWorkspace: (workspace_id: string, id: string, session?: ClientSession) =>
      workflows.findOne({ workspace_id, _id: id }, session),

    page: (workspace_id: string, page: PageRequest) =>
      workflows.page({ workspace_id }, NEWEST, { page, cursors, scope: `workflows/${workspace_id}` }),

    /** Makes the transaction conflict with every other transaction that locks the workflow. */
    async lock(workspace_id: string, id: string, session: ClientSession): Promise<WorkflowRecord | null> {
      const options = { session, returnDocument: 'after' } as const;
      const increased = { $inc: { revision: 1 } };
      const found = await locks.findOneAndUpdate({ workspace_id, _id: id }, increased, options);
      return found && workflows.recordOf(found);
    },
  };
}
