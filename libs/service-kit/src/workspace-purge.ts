import type { Document } from 'mongodb';
import type { Database } from './database.ts';

/** What a service does when a workspace is deleted. */
export interface WorkspacePurge {
  /** Those of `ids` whose workspace was deleted: what is late for them is to be dropped. */
  deletedAmong(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Removes what a deleted workspace has here and leaves a tombstone. Safe to break off and to repeat at any point; not
   * done when there is more than a call should take. However slow the store is, each call removes something.
   */
  purge(workspaceId: string): Promise<{ is_done: boolean }>;
}

const TOMBSTONES = 'deleted_workspaces';
const PER_ROUND = 1_000;
/** Below what the caller waits. */
const ROUNDS_MS = 1_500;

/**
 * `collections` says by which field each names its workspace, or by which filter what is to go is found, in the order of removal; each needs
 * an index for it. Events stay in the outbox for as long as any: to have such an index would make every event dearer.
 */
export function workspacePurge(
  database: Database,
  collections: Readonly<Record<string, string | ((workspaceId: string) => Document)>> = {},
  nowMs: () => number = () => performance.now(),
): WorkspacePurge {
  const tombstones = database.collection<{ _id: string; deleted_at: Date }>(TOMBSTONES);

  return {
    async deletedAmong(ids) {
      const found = await tombstones.find({ _id: { $in: [...ids] } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    async purge(workspaceId) {
      const startedAtMs = nowMs();
      const tombstone = { $setOnInsert: { deleted_at: new Date() } };
      await tombstones.updateOne({ _id: workspaceId }, tombstone, { upsert: true });
      for (const [name, owned] of Object.entries(collections)) {
        const filter = typeof owned === 'string' ? { [owned]: workspaceId } : owned(workspaceId);
        const collection = database.collection(name);
        for (;;) {
          const options = { projection: { _id: 1 }, limit: PER_ROUND } as const;
          const found = await collection.find(filter, options).toArray();
          if (found.length === 0) break;
          await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
          if (nowMs() - startedAtMs > ROUNDS_MS) return { is_done: false };
        }
      }
      return { is_done: true };
    },
  };
}
