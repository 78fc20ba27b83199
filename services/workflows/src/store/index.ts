import type { CursorCodec } from '@waymark/contracts';
import { type Database, type Indexes, inTransaction } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type GraphChanges, sortChanges } from '../records.ts';
import { EDGES, edgeIndexes, edgeStore } from './edges.ts';
import { NODES, nodeIndexes, nodeStore } from './nodes.ts';
import { TOMBSTONES, tombstoneIndexes, tombstoneStore } from './tombstones.ts';
import { WORKFLOWS, workflowIndexes, workflowStore } from './workflows.ts';

export type { GraphRecordStore } from './graph-records.ts';

export const indexes: Indexes = { ...workflowIndexes, ...nodeIndexes, ...edgeIndexes, ...tombstoneIndexes };

/** The collections that are deleted with a workspace, and the field that names the workspace. */
export const ownedCollections = {
  [EDGES]: 'workspace_id',
  [NODES]: 'workspace_id',
  [TOMBSTONES]: 'workspace_id',
  [WORKFLOWS]: 'workspace_id',
};

export type Store = ReturnType<typeof workflowsStore>;

export function workflowsStore(database: Database, cursors: CursorCodec) {
  const nodes = nodeStore(database, cursors);
  const edges = edgeStore(database, cursors);
  const tombstones = tombstoneStore(database);
  return {
    workflows: workflowStore(database, cursors),
    nodes,
    edges,
    tombstones,

    /** Runs several reads as of one time. */
    atOneTime: <T>(read: (session: ClientSession) => Promise<T>): Promise<T> =>
      inTransaction(database.client, read, { readConcern: { level: 'snapshot' } }),

    /** Stores changes of a graph, and leaves tombstones of its deleted nodes. */
    async applyChanges(changes: GraphChanges, session: ClientSession): Promise<void> {
      await edges.apply(changes.edges, session);
      await nodes.apply(changes.nodes, session);
      const { deleted } = sortChanges(changes.nodes);
      await tombstones.insert(
        deleted.map((node) => ({ ...node, version: node.version + 1 })),
        session,
      );
    },
  };
}
