import type { Database, Indexes } from '@waymark/service-kit';
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

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<Omit<Tombstone, 'id'> & { _id: string }>(TOMBSTONES);
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

    async remove(ids: readonly string[], session: ClientSession): Promise<void> {
      if (ids.length > 0) await tombstones.deleteMany({ _id: { $in: ids } }, { session });
    },
  };
}
