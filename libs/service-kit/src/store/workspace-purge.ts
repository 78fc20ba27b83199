import { firstIdAt, timeOfId } from '@waymark/contracts';
import type { Database } from './database.ts';
import { removeInRounds } from './remove-in-rounds.ts';

export type WorkspacePurge = ReturnType<typeof workspacePurge>;

/** Number of events read in one round, of all workspaces. */
const EVENTS_PER_ROUND = 20_000;
/** More than the difference between the processes' clocks. */
const CLOCKS_APART_MS = 3_600_000;
/** Time limit of a call, below the caller's timeout. */
const ROUNDS_MS = 1_500;

/**
 * Handles deleted workspaces. `owned` is that of the schema; each of its fields needs an index. Events in the
 * outbox are removed last.
 */
export function workspacePurge(
  database: Database,
  owned: Readonly<Record<string, string>> = {},
  nowMs: () => number = () => performance.now(),
) {
  type Tombstone = { _id: string; deleted_at: Date; events_until?: string };
  const tombstones = database.collection<Tombstone>('deleted_workspaces');
  const events = database.collection<{ _id: string; workspace_id: string | null }>('outbox');

  /**
   * Reads all events since the creation of the workspace, from where the previous call ended. An index by
   * workspace would make every event more expensive to store.
   */
  async function purgeEvents(workspaceId: string, isOver: () => boolean): Promise<boolean> {
    const before = firstIdAt(timeOfId(workspaceId) - CLOCKS_APART_MS);
    let after = (await tombstones.findOne({ _id: workspaceId }))?.events_until ?? before;
    for (;;) {
      const options = { projection: { _id: 1 }, sort: { _id: 1 }, skip: EVENTS_PER_ROUND - 1 } as const;
      const last = await events.findOne({ _id: { $gt: after } }, options);
      const range = { $gt: after, ...(last && { $lte: last._id }) };
      await events.deleteMany({ workspace_id: workspaceId, _id: range });
      const progress = last ? { $set: { events_until: last._id } } : { $unset: { events_until: 1 as const } };
      await tombstones.updateOne({ _id: workspaceId }, progress);
      if (!last) return true;
      after = last._id;
      if (isOver()) return false;
    }
  }

  return {
    /** Returns the ids of deleted workspaces among `ids`; later changes to these must be dropped. */
    async deletedAmong(ids: readonly string[]): Promise<Set<string>> {
      const found = await tombstones.find({ _id: { $in: [...ids] } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Removes the data of a workspace and leaves a tombstone. Repeat it until `is_done`. */
    async purge(workspaceId: string): Promise<{ is_done: boolean }> {
      const startedAtMs = nowMs();
      const isOver = () => nowMs() - startedAtMs > ROUNDS_MS;
      const tombstone = { $setOnInsert: { deleted_at: new Date() } };
      await tombstones.updateOne({ _id: workspaceId }, tombstone, { upsert: true });
      for (const [name, field] of Object.entries(owned)) {
        const isGone = await removeInRounds(database.collection(name), { [field]: workspaceId }, isOver);
        if (!isGone) return { is_done: false };
      }
      return { is_done: await purgeEvents(workspaceId, isOver) };
    },
  };
}
