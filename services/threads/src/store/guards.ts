import type { DeletedNode } from '@waymark/contracts';
import type { Database, Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { LiveNode, NodeGuard, NodeReference } from '../records.ts';

export const GUARDS = 'node_guards';
/** Few enough that a deletion, which locks all of them, is cheap; posts on a node still seldom conflict. */
const GUARDS_PER_NODE = 4;
const LOCK = { $inc: { revision: 1 }, $setOnInsert: { deleted_version: 0 } };

/** The id of one of a node's guards. The first is the node's own id; it has the version of its deletion. */
const guardOf = (nodeId: string, number: number) => (number === 0 ? nodeId : `${nodeId}/${number}`);

/** Returns a random guard id of the node, for a post. */
export const anyGuard = (nodeId: string) => guardOf(nodeId, Math.floor(Math.random() * GUARDS_PER_NODE));

export function guardStore(database: Database) {
  const guards = database.collection<Stored<NodeGuard>>(GUARDS);
  return {
    /** Returns the version of the node's last deletion whose event has arrived; 0 for none. */
    async deletedVersion({ id, workspace_id }: NodeReference): Promise<number> {
      return (await guards.findOne({ workspace_id, _id: id }))?.deleted_version ?? 0;
    },

    /** Returns the versions of the last deletions of those among the nodes that were deleted. */
    async deletedVersions(workspace_id: string, ids: readonly string[]): Promise<Map<string, number>> {
      const found = await guards.find({ workspace_id, _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, deleted_version }) => [_id, deleted_version]));
    },

    /**
     * Locks one of the node's guards, by default the first: the transaction conflicts with others that lock
     * it, and with a deletion. Returns the generation of new threads, or null for a deleted node.
     */
    async lockNode({ id, workspace_id, ...node }: LiveNode, session: ClientSession, guard = id) {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const { deleted_version } = (await guards.findOneAndUpdate(
        { workspace_id, _id: guard },
        LOCK,
        options,
      ))!;
      const generation = Math.max(deleted_version, node.generation);
      return node.version > generation ? generation : null;
    },

    /** Locks the first guard of each node. Returns the version of each node's last deletion. */
    async lockNodes(workspace_id: string, ids: string[], session: ClientSession) {
      if (ids.length === 0) return new Map<string, number>();
      const locks = ids.map((_id) => ({
        updateOne: { filter: { workspace_id, _id }, update: LOCK, upsert: true },
      }));
      await guards.bulkWrite(locks, { session });
      const found = await guards.find({ workspace_id, _id: { $in: ids } }, { session }).toArray();
      return new Map(found.map(({ _id, deleted_version }) => [_id, deleted_version]));
    },

    /** Records deletions in all guards: concurrent posts are retried, and later ones fail. */
    async markDeleted(workspace_id: string, nodes: readonly DeletedNode[]): Promise<void> {
      const deletions = nodes.flatMap(({ id, version }) => {
        const update = { $max: { deleted_version: version }, $inc: { revision: 1 } };
        return Array.from({ length: GUARDS_PER_NODE }, (_, number) => ({
          updateOne: { filter: { workspace_id, _id: guardOf(id, number) }, update, upsert: true },
        }));
      });
      if (deletions.length > 0) await guards.bulkWrite(deletions, { ordered: false });
    },
  };
}
