import type { Decision } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type StoredTombstone, TOMBSTONES } from './collections.ts';

/** Longer than any consumer of events remembers a deletion (search: 30 days from when it hears of it). */
const KEPT_MS = 60 * 86_400_000;

/** A decision that moves to another workspace with an import may die there again. */
const graveOf = (workspaceId: string, id: string) => `${workspaceId}/${id}`;

export type TombstoneStore = ReturnType<typeof tombstoneStore>;

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<StoredTombstone>(TOMBSTONES);
  return {
    /** Keeps the version of a deletion. */
    async bury(
      { id, workspace_id, version }: Pick<Decision, 'id' | 'workspace_id' | 'version'>,
      atMs: number,
      session: ClientSession,
    ): Promise<void> {
      const set = { version, expires_at: new Date(atMs + KEPT_MS) };
      const _id = graveOf(workspace_id, id);
      await tombstones.updateOne({ workspace_id, _id }, { $set: set }, { session, upsert: true });
    },

    /** What is put back: those that were deleted before go on counting from there. */
    async revive(workspaceId: string, given: Decision[], session: ClientSession): Promise<Decision[]> {
      // Under its bare id lies what a process of the version before has buried.
      const graves = given.flatMap(({ id }) => [graveOf(workspaceId, id), id]);
      const filter = { workspace_id: workspaceId, _id: { $in: graves } };
      const found = await tombstones.find(filter, { session }).toArray();
      if (found.length === 0) return given;
      const dead = new Map(found.map(({ _id, version }) => [_id, version]));
      const lastVersions = ({ id }: Decision) =>
        [graveOf(workspaceId, id), id].map((grave) => dead.get(grave) ?? 0);
      await tombstones.deleteMany(filter, { session });
      return given.map((decision) => ({
        ...decision,
        version: Math.max(decision.version, 1 + Math.max(...lastVersions(decision))),
      }));
    },
  };
}
