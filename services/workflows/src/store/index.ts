import {
  type Database,
  type Indexes,
  inTransaction,
  TRASH,
  toDocument,
  trashEntry,
  trashIndexes,
  trashRoot,
  trashStore,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type EdgeRecord, type GraphChanges, type NodeRecord, sortChanges } from '../records.ts';
import { EDGES, edgeIndexes, edgeStore } from './edges.ts';
import { NODES, nodeIndexes, nodeStore } from './nodes.ts';
import { TOMBSTONES, tombstoneIndexes, tombstoneStore } from './tombstones.ts';
import { WORKFLOWS, workflowIndexes, workflowStore } from './workflows.ts';

/** Who deletes records, and when. */
export type Deletion = Parameters<typeof trashEntry>[2];

export type { GraphRecordStore } from './graph-records.ts';

export const indexes: Indexes = {
  ...workflowIndexes,
  ...nodeIndexes,
  ...edgeIndexes,
  ...tombstoneIndexes,
  ...trashIndexes,
};

/** The collections that are deleted with a workspace, and the field that names the workspace. */
export const ownedCollections = {
  [EDGES]: 'workspace_id',
  [NODES]: 'workspace_id',
  [TOMBSTONES]: 'workspace_id',
  [TRASH]: 'workspace_id',
  [WORKFLOWS]: 'workspace_id',
};

export type Store = ReturnType<typeof openStore>;

export function openStore(database: Database) {
  const nodes = nodeStore(database);
  const edges = edgeStore(database);
  const tombstones = tombstoneStore(database);
  const trash = trashStore(database);

  /** Moves nodes to the trash, each with its deleted edges; an edge of two of them with its source. */
  async function discardNodes(
    nodes: NodeRecord[],
    edges: EdgeRecord[],
    how: Deletion,
    session: ClientSession,
  ): Promise<void> {
    const ids = new Set(nodes.map(({ id }) => id));
    const ofNode = Map.groupBy(edges, ({ source_id, target_id }) =>
      ids.has(source_id) ? source_id : target_id,
    );
    const trashed = nodes.map((node) => ({
      root: trashRoot('node', node.id),
      entry: trashEntry('node', node, how, { workflow_id: node.workflow_id }),
      documents: {
        [NODES]: [toDocument(node)],
        [EDGES]: (ofNode.get(node.id) ?? []).map((edge) => toDocument(edge)),
      },
    }));
    await trash.put(nodes[0]!.workspace_id, trashed, Date.parse(how.at), session);
  }

  return {
    workflows: workflowStore(database),
    nodes,
    edges,
    tombstones,
    trash,

    /** Runs several reads as of one time. */
    atOneTime: <T>(read: (session: ClientSession) => Promise<T>): Promise<T> =>
      inTransaction(database.client, read, { readConcern: { level: 'snapshot' } }),

    /** Stores changes of a graph, and moves its deleted nodes to the trash. */
    async applyChanges(changes: GraphChanges, session: ClientSession, how?: Deletion): Promise<void> {
      await edges.apply(changes.edges, session);
      await nodes.apply(changes.nodes, session);
      const { deleted } = sortChanges(changes.nodes);
      await tombstones.insert(
        deleted.map((node) => ({ ...node, version: node.version + 1 })),
        session,
      );
      if (how && deleted.length > 0)
        await discardNodes(deleted, sortChanges(changes.edges).deleted, how, session);
    },
  };
}
