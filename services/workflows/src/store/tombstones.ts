import type { Database, Indexes } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

export interface Tombstone {
  id: string;
  workspace_id: string;
  /** The version of the deletion. A restored record continues from it: late events remain outdated. */
  version: number;
}

export const TOMBSTONES = 'tombstones';
export const tombstoneIndexes: Indexes = { [TOMBSTONES]: [{ key: { workspace_id: 1, _id: 1 } }] };

type OfWorkspace = Pick<Tombstone, 'id' | 'workspace_id'>;
/** Clients choose the ids of nodes, so all other documents here have ids that no node can have. */
export const workflowTombstoneId = ({ id, workspace_id }: OfWorkspace) => `${workspace_id}/${id}`;
const lastDeletionId = ({ id, workspace_id }: OfWorkspace) => `${workspace_id}/node/${id}`;

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<Omit<Tombstone, 'id'> & { _id: string }>(TOMBSTONES);

  async function remove(deleted: readonly Tombstone[], session: ClientSession): Promise<void> {
    if (deleted.length === 0) return;
    await tombstones.deleteMany({ _id: { $in: deleted.map(({ id }) => id) } }, { session });
  }

  return {
    async byIds(ids: readonly string[], session: ClientSession): Promise<Tombstone[]> {
      if (ids.length === 0) return [];
      const found = await tombstones.find({ _id: { $in: ids } }, { session }).toArray();
      return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },

    async insert(deleted: readonly Tombstone[], session: ClientSession): Promise<void> {
      if (deleted.length === 0) return;
      const documents = deleted.map(({ id: _id, workspace_id, version }) => ({ _id, workspace_id, version }));
      await tombstones.insertMany(documents, { session });
    },

    remove,

    /** Removes the tombstones of restored nodes, and keeps the versions of their last deletions. */
    async restoreNodes(deleted: readonly Tombstone[], session: ClientSession): Promise<void> {
      if (deleted.length === 0) return;
      await remove(deleted, session);
      const lastDeletions = deleted.map(({ version, ...node }) => ({
        updateOne: {
          filter: { workspace_id: node.workspace_id, _id: lastDeletionId(node) },
          update: { $set: { version } },
          upsert: true,
        },
      }));
      await tombstones.bulkWrite(lastDeletions, { session });
    },

    /** Returns the version of the last deletion of a restored node; 0 for a node that was never deleted. */
    async lastDeletion(node: OfWorkspace): Promise<number> {
      const { workspace_id } = node;
      return (await tombstones.findOne({ workspace_id, _id: lastDeletionId(node) }))?.version ?? 0;
    },
  };
}
