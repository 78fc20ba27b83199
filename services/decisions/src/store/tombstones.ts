import type { Decision } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type StoredTombstone, TOMBSTONES } from './collections.ts';

/** Longer than any event consumer remembers a deletion: search does for 30 days after the event. */
const KEPT_MS = 60 * 86_400_000;

/** Includes the workspace: an import can move a decision to another one, where it may be deleted again. */
const tombstoneId = (workspaceId: string, id: string) => `${workspaceId}/${id}`;

export function tombstoneStore(database: Database) {
  const tombstones = database.collection<StoredTombstone>(TOMBSTONES);
  return {
    /** Keeps the version of a deletion. */
    async insertTombstone(
      { id, workspace_id, version }: Pick<Decision, 'id' | 'workspace_id' | 'version'>,
      atMs: number,
      session: ClientSession,
    ): Promise<void> {
      const $set = { version, expires_at: new Date(atMs + KEPT_MS) };
      const _id = tombstoneId(workspace_id, id);
      await tombstones.updateOne({ workspace_id, _id }, { $set }, { session, upsert: true });
    },

    /** Returns the decisions to restore; deleted ones continue from the version of the deletion. */
    async restore(workspace_id: string, given: Decision[], session: ClientSession): Promise<Decision[]> {
      const ids = given.map(({ id }) => tombstoneId(workspace_id, id));
      const filter = { workspace_id, _id: { $in: ids } };
      const found = await tombstones.find(filter, { session }).toArray();
      if (found.length === 0) return given;
      const versions = new Map(found.map(({ _id, version }) => [_id, version]));
      await tombstones.deleteMany(filter, { session });
      return given.map((decision) => {
        const deletedVersion = versions.get(tombstoneId(workspace_id, decision.id)) ?? 0;
        return { ...decision, version: Math.max(decision.version, deletedVersion + 1) };
      });
    },
  };
}
