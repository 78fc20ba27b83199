import type { Database, Indexes } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';

/** What stays of a node or workflow that was deleted, also when it is put back. */
export interface Tombstone {
  id: string;
  workspace_id: string;
  /** Of the last deletion; a record that is put back goes on counting from here, so that late events stay late. */
  version: number;
}

export const TOMBSTONES = 'tombstones';
export const tombstoneIndexes: Indexes = { [TOMBSTONES]: [{ key: { workspace_id: 1, _id: 1 } }] };

/** Clients choose the ids of nodes: a workflow's tombstone is under a name that no node can have. */
export const workflowGrave = ({ id, workspace_id }: { id: string; workspace_id: string }) =>
  `${workspace_id}/${id}`;

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<Omit<Tombstone, 'id'> & { _id: string }>(TOMBSTONES);

  async function byIds(ids: readonly string[], session?: ClientSession): Promise<Tombstone[]> {
    if (ids.length === 0) return [];
    const options = session && { session };
    const found = await tombstones.find({ _id: { $in: ids } }, options).toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  return {
    byIds,

    async put(dead: readonly Tombstone[], session: ClientSession): Promise<void> {
      const ids = dead.map(({ id }) => id);
      const known = new Set((await byIds(ids, session)).map(({ id }) => id));
      const operations = dead.map(({ id: _id, workspace_id, version }) =>
        known.has(_id)
          ? { updateOne: { filter: { workspace_id, _id }, update: { $set: { version } } } }
          : { insertOne: { document: { _id, workspace_id, version } } },
      );
      if (operations.length > 0) await tombstones.bulkWrite(operations, { session });
    },
  };
}
