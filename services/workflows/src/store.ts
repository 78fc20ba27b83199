import type { CursorCodec } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';
import { EDGES, edgeIndexes, edgeStore } from './store/edges.ts';
import { NODES, nodeIndexes, nodeStore } from './store/nodes.ts';
import { TOMBSTONES, tombstoneIndexes, tombstoneStore } from './store/tombstones.ts';
import { WORKFLOWS, workflowIndexes, workflowStore } from './store/workflows.ts';

export const indexes: Indexes = { ...workflowIndexes, ...nodeIndexes, ...edgeIndexes, ...tombstoneIndexes };

/** What goes with a workspace, by the field that names it. */
export const ownedCollections = {
  [EDGES]: 'workspace_id',
  [NODES]: 'workspace_id',
  [TOMBSTONES]: 'workspace_id',
  [WORKFLOWS]: 'workspace_id',
};

/** A transaction or a moment, as the methods of the store take it. */
export type StoreSession = ClientSession;
export type Store = ReturnType<typeof workflowsStore>;

export function workflowsStore(database: Database, cursors: CursorCodec) {
  return {
    workflows: workflowStore(database, cursors),
    nodes: nodeStore(database, cursors),
    edges: edgeStore(database, cursors),
    tombstones: tombstoneStore(database),

    /**
     * Runs reads as of one moment: nothing in them is half of a change. A transaction, since the client's read concern
     * would take the place of a snapshot session's own.
     */
    async atOneMoment<T>(read: (session: ClientSession) => Promise<T>): Promise<T> {
      return database.client.withSession(async (session) => {
        session.startTransaction({ readConcern: { level: 'snapshot' } });
        try {
          const result = await read(session);
          await session.commitTransaction();
          return result;
        } finally {
          if (session.inTransaction()) await session.abortTransaction();
        }
      });
    },
  };
}
