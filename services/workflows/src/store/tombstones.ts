import type { Database, Indexes } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

/** What stays of a deleted node or workflow. */
export interface Tombstone {
  id: string;
  workspace_id: string;
  /** Of the deletion; a record that is put back goes on counting from here, so that late events stay late. */
  version: number;
}

export const TOMBSTONES = 'tombstones';
export const tombstoneIndexes: Indexes = { [TOMBSTONES]: [{ key: { workspace_id: 1, _id: 1 } }] };

type OfWorkspace = Pick<Tombstone, 'id' | 'workspace_id'>;
/** Clients choose the ids of nodes: what else is kept here is under names that no node can have. */
export const workflowGrave = ({ id, workspace_id }: OfWorkspace) => `${workspace_id}/${id}`;
const formerLife = ({ id, workspace_id }: OfWorkspace) => `${workspace_id}/node/${id}`;

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<Omit<Tombstone, 'id'> & { _id: string }>(TOMBSTONES);

  async function remove(dead: readonly Tombstone[], session: ClientSession): Promise<void> {
    if (dead.length === 0) return;
    await tombstones.deleteMany({ _id: { $in: dead.map(({ id }) => id) } }, { session });
  }

  return {
    async byIds(ids: readonly string[], session: ClientSession): Promise<Tombstone[]> {
      if (ids.length === 0) return [];
      const found = await tombstones.find({ _id: { $in: ids } }, { session }).toArray();
      return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },

    async insert(dead: readonly Tombstone[], session: ClientSession): Promise<void> {
      if (dead.length === 0) return;
      const documents = dead.map(({ id: _id, workspace_id, version }) => ({ _id, workspace_id, version }));
      await tombstones.insertMany(documents, { session });
    },

    remove,

    /** Of nodes that are put back stays which life of them is over. */
    async reviveNodes(dead: readonly Tombstone[], session: ClientSession): Promise<void> {
      if (dead.length === 0) return;
      await remove(dead, session);
      const lives = dead.map(({ version, ...node }) => ({
        updateOne: {
          filter: { workspace_id: node.workspace_id, _id: formerLife(node) },
          update: { $set: { version } },
          upsert: true,
        },
      }));
      await tombstones.bulkWrite(lives, { session });
    },

    /** The version of a living node's last deletion; 0 for none. */
    async lastDeletion(node: OfWorkspace): Promise<number> {
      const { workspace_id } = node;
      return (await tombstones.findOne({ workspace_id, _id: formerLife(node) }))?.version ?? 0;
    },
  };
}
