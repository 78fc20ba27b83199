import { newId } from '@waymark/contracts';
import { type Database, leaseFree, leaseRunning, leaseTaken, type Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

/**
 * A file that is being uploaded, leased by the process that receives it. Until the lease expires, it counts
 * as an unfinished import of its workspace.
 */
export interface Upload {
  /** The id of the import that it becomes. */
  id: string;
  workspace_id: string;
  /** Derived from the request's Idempotency-Key. */
  idempotency_id: string | null;
  expires_at: Date;
}

type StoredLease = { _id: string; wasOver: boolean };

export const UPLOADS = 'import_uploads';

export function importUploads(database: Database) {
  const uploads = database.collection<Stored<Upload>>(UPLOADS);
  const leases = database.collection<StoredLease>(UPLOADS);
  const owner = newId();
  /** The fields of the document before the change. */
  const previousLease = { projection: { wasOver: leaseFree().$expr } };

  return {
    async begin({ id, ...upload }: Upload, leaseMs: number, session: ClientSession): Promise<void> {
      const begun = leaseTaken<Stored<Upload>>(owner, leaseMs, { $set: upload });
      await uploads.updateOne({ _id: id }, begun, { upsert: true, session });
    },

    countActive: (workspaceId: string, exceptId: string, session: ClientSession) =>
      uploads.countDocuments(
        { workspace_id: workspaceId, _id: { $ne: exceptId }, ...leaseRunning() },
        { session },
      ),

    async isActive(workspaceId: string, idempotencyId: string, session: ClientSession): Promise<boolean> {
      const filter = { workspace_id: workspaceId, idempotency_id: idempotencyId, ...leaseRunning() };
      return (await uploads.findOne(filter, { session })) !== null;
    },

    /** Renews the lease. Returns whether it had expired; null when the upload was removed. */
    async renew(id: string, leaseMs: number, session: ClientSession): Promise<{ wasOver: boolean } | null> {
      const renewed = leaseTaken<StoredLease>(owner, leaseMs);
      return leases.findOneAndUpdate({ _id: id }, renewed, { ...previousLease, session });
    },

    /** Ends the upload. Returns whether its lease had expired; null when the upload was removed. */
    async end(id: string, session: ClientSession): Promise<{ wasOver: boolean } | null> {
      return leases.findOneAndDelete({ _id: id }, { ...previousLease, session });
    },

    async remove(id: string): Promise<boolean> {
      return (await uploads.deleteOne({ _id: id })).deletedCount === 1;
    },
  };
}
