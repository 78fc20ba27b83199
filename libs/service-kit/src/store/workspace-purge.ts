import { firstIdAt, timeOfId } from '@waymark/contracts';
import type { Document } from 'mongodb';
import type { Database } from './database.ts';
import { removeInRounds } from './remove-in-rounds.ts';

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
/** Of all workspaces' events. */
const EVENTS_PER_ROUND = 20_000;
/** More than clocks of processes differ. */
const CLOCKS_APART_MS = 3_600_000;
/** Below what the caller waits. */
const ROUNDS_MS = 1_500;

/**
 * `collections` says by which field each names its workspace, or by which filter what is to go is found, in the order of
 * removal; each needs an index for it. Events in the outbox come last.
 */
export function workspacePurge(
  database: Database,
  collections: Readonly<Record<string, string | ((workspaceId: string) => Document)>> = {},
  nowMs: () => number = () => performance.now(),
): WorkspacePurge {
  const tombstones = database.collection<{ _id: string; deleted_at: Date; events_until?: string }>(
    TOMBSTONES,
  );
  const events = database.collection<{ _id: string; workspace_id: string | null }>('outbox');

  /**
   * An index by workspace would make every event dearer: all events since the workspace was made are gone through in the order
   * of their ids, from where the call before came to, which the tombstone says.
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
    async deletedAmong(ids) {
      const found = await tombstones.find({ _id: { $in: [...ids] } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    async purge(workspaceId) {
      const startedAtMs = nowMs();
      const isOver = () => nowMs() - startedAtMs > ROUNDS_MS;
      const tombstone = { $setOnInsert: { deleted_at: new Date() } };
      await tombstones.updateOne({ _id: workspaceId }, tombstone, { upsert: true });
      for (const [name, owned] of Object.entries(collections)) {
        const filter = typeof owned === 'string' ? { [owned]: workspaceId } : owned(workspaceId);
        const isGone = await removeInRounds(database.collection(name), filter, isOver);
        if (!isGone) return { is_done: false };
      }
      return { is_done: await purgeEvents(workspaceId, isOver) };
    },
  };
}
