import { limits } from '@waymark/contracts';
import { type Database, fromDocument, type Stored, snapshotFind } from '@waymark/service-kit/store';
import { BSON, type Timestamp } from 'mongodb';
import { recordDefaults, type WorkflowRecord } from '../records.ts';
import { EDGES } from './edges.ts';
import { NODES } from './nodes.ts';
import { WORKFLOWS } from './workflows.ts';

/** A workflow at one moment. Its nodes and edges at that moment are read on demand. */
export interface GraphSnapshot {
  workflow: WorkflowRecord;
  /** Returns all nodes as BSON, sorted by id. */
  nodes(): Promise<Uint8Array[]>;
  edges(): Promise<Uint8Array[]>;
}

export function graphSnapshots(database: Pick<Database, 'db'>) {
  const find = snapshotFind(database);

  /** Returns the latest state of a workflow; null when it does not exist. */
  return async ({
    workspace_id,
    id: _id,
  }: Pick<WorkflowRecord, 'workspace_id' | 'id'>): Promise<GraphSnapshot | null> => {
    const { documents, asOf } = await find({ find: WORKFLOWS, filter: { workspace_id, _id }, limit: 1 });
    if (!documents[0]) return null;
    const workflow = fromDocument<WorkflowRecord>(
      BSON.deserialize(documents[0]) as Stored<WorkflowRecord>,
      recordDefaults.workflow,
    );
    return {
      workflow,
      nodes: () =>
        all(NODES, workflow, { asOf, count: workflow.node_count, atOnce: limits.nodesPerWorkflow }),
      edges: () =>
        all(EDGES, workflow, { asOf, count: workflow.edge_count, atOnce: limits.edgesPerWorkflow }),
    };
  };

  async function all(
    collection: string,
    { workspace_id, id: workflow_id }: WorkflowRecord,
    { asOf, count, atOnce }: { asOf: Timestamp; count: number; atOnce: number },
  ): Promise<Uint8Array[]> {
    const found: Uint8Array[] = [];
    for (;;) {
      const last = found.at(-1);
      const behind = last && { _id: { $gt: BSON.deserialize(last)['_id'] as string } };
      const filter = { workspace_id, workflow_id, ...behind };
      const { documents } = await find(
        { find: collection, filter, sort: { _id: 1 }, batchSize: atOnce },
        asOf,
      );
      found.push(...documents);
      if (found.length >= count || documents.length === 0) return found;
    }
  }
}
