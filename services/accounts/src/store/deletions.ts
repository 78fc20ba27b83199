import { type Database, type Indexes, workspacePurge } from '@waymark/service-kit/store';
import type { DatabaseSession } from './in-session.ts';

/** The work that a deleted workspace leaves; the last thing that accounts has of it. */
export interface Deletion {
  /** The workspace's. */
  _id: string;
  deleted_at: string;
  /** When the next round is to be made. */
  due_at: string;
  /** The round under way belongs to one process until then. */
  leased_until: string;
  /** Whether all services have answered once that nothing is left. */
  is_purged: boolean;
}

const DELETIONS = 'workspace_deletions';
/** All that accounts has of a workspace, and the field that names it. */
const OWNED = {
  api_keys: 'workspace_id',
  invitations: 'workspace_id',
  members: 'workspace_id',
  workspaces: '_id',
};

export const deletionIndexes: Indexes = { [DELETIONS]: [{ key: { due_at: 1 } }] };

export type DeletionStore = ReturnType<typeof deletionStore>;

export function deletionStore(database: Database) {
  const deletions = database.collection<Deletion>(DELETIONS);
  const { purge } = workspacePurge(database);
  return {
    /** Takes the workspace away, with members and keys, and notes what is left to do. */
    async begin(deletion: Deletion, session: DatabaseSession): Promise<void> {
      await deletions.insertOne(deletion, { session });
      for (const [name, field] of Object.entries(OWNED)) {
        await database.collection(name).deleteMany({ [field]: deletion._id }, { session });
      }
    },

    /** The next deletion that is due and that no other process is at. */
    claim(now: string, leasedUntil: string): Promise<Deletion | null> {
      const free = { due_at: { $lte: now }, leased_until: { $lte: now } };
      const options = { sort: { due_at: 1 }, returnDocument: 'after' } as const;
      return deletions.findOneAndUpdate(free, { $set: { leased_until: leasedUntil } }, options);
    },

    /** Ends a round, if it is still this process's. */
    async release(
      { _id, leased_until }: Deletion,
      next: Pick<Deletion, 'due_at' | 'is_purged'>,
    ): Promise<void> {
      await deletions.updateOne({ _id, leased_until }, { $set: { ...next, leased_until: '' } });
    },

    /** The events about the workspace go, then the note: nothing is left. False when there is more to do. */
    async finish({ _id }: Deletion): Promise<boolean> {
      if (!(await purge(_id)).is_done) return false;
      await deletions.deleteOne({ _id });
      return true;
    },
  };
}
