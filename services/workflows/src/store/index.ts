import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { EDGES, edgeIndexes, edgeStore } from './edges.ts';
import { graphSnapshots } from './graph-snapshot.ts';
import { NODES, nodeIndexes, nodeStore } from './nodes.ts';
import { TOMBSTONES, tombstoneIndexes, tombstoneStore } from './tombstones.ts';
import { WORKFLOWS, workflowIndexes, workflowStore } from './workflows.ts';

export type { GraphSnapshot } from './graph-snapshot.ts';

export const indexes: Indexes = { ...workflowIndexes, ...nodeIndexes, ...edgeIndexes, ...tombstoneIndexes };

/** What goes with a workspace, by the field that names it. */
export const ownedCollections = {
  [EDGES]: 'workspace_id',
  [NODES]: 'workspace_id',
  [TOMBSTONES]: 'workspace_id',
  [WORKFLOWS]: 'workspace_id',
};

/** A transaction, as the methods of the store take it. */
export type StoreSession = ClientSession;
export type Store = ReturnType<typeof workflowsStore>;

export function workflowsStore(database: Database, cursors: CursorCodec) {
  return {
    workflows: workflowStore(database, cursors),
    nodes: nodeStore(database, cursors),
    edges: edgeStore(database, cursors),
    tombstones: tombstoneStore(database),
    graphSnapshot: graphSnapshots(database),
  };
}
