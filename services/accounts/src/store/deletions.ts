import { newId } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  type Lease,
  leaseFree,
  leaseHeldBy,
  leaseReleased,
  leaseTaken,
  workspacePurge,
} from '@waymark/service-kit/store';

/** A deleted workspace whose data is still being removed; the last record that accounts has of it. */
export interface Deletion {
  _id: string;
  deleted_at: string;
  due_at: string;
  /** Whether every service has completed the first purge. */
  is_purged: boolean;
  lease?: Lease;
}

const LEASE_MS = 60_000;
/** Every collection with data of a workspace, and the field that names the workspace. */
const OWNED = {
  api_keys: 'workspace_id',
  invitations: 'workspace_id',
  list_settings: 'workspace_id',
  mails: 'workspace_id',
  members: 'workspace_id',
  saved_views: 'workspace_id',
  service_accounts: 'workspace_id',
  workspaces: '_id',
};

export function deletionStore(database: Database) {
  const deletions = database.collection<Deletion>('workspace_deletions');
  const { purge } = workspacePurge(database);
  return {
    /** Removes the workspace with its members and keys, and records that the other services must purge it. */
    async begin(workspaceId: string, now: string, session: DatabaseSession): Promise<void> {
      const deletion = { _id: workspaceId, deleted_at: now, due_at: now, is_purged: false };
      await deletions.insertOne(deletion, { session });
      for (const [name, field] of Object.entries(OWNED)) {
        await database.collection(name).deleteMany({ [field]: workspaceId }, { session });
      }
    },

    claim(now: string) {
      const options = { sort: { due_at: 1 }, returnDocument: 'after' } as const;
      const claimed = leaseTaken<Deletion>(newId(), LEASE_MS);
      return deletions.findOneAndUpdate({ due_at: { $lte: now }, ...leaseFree() }, claimed, options);
    },

    async release({ _id, lease }: Deletion, next: Partial<Pick<Deletion, 'due_at' | 'is_purged'>>) {
      await deletions.updateOne({ _id, ...leaseHeldBy(lease!.owner) }, leaseReleased({ $set: next }));
    },

    /** Removes the outbox events of the workspace, then the deletion. Returns false when more is left. */
    async finish({ _id }: Deletion): Promise<boolean> {
      if (!(await purge(_id)).is_done) return false;
      await deletions.deleteOne({ _id });
      return true;
    },
  };
}
