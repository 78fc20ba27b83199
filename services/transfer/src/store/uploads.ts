import { newId } from '@waymark/contracts';
import { type Database, leaseFree, leaseRunning, leaseTaken, type Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

/** A file that a process receives. Until its lease expires, it counts as an unfinished import. */
export interface Upload {
  id: string;
  workspace_id: string;
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

    countActive: (workspace_id: string, exceptId: string, session: ClientSession) =>
      uploads.countDocuments({ workspace_id, _id: { $ne: exceptId }, ...leaseRunning() }, { session }),

    isActive: async (workspace_id: string, idempotency_id: string, session: ClientSession) =>
      (await uploads.findOne({ workspace_id, idempotency_id, ...leaseRunning() }, { session })) !== null,

    /** Renews the lease. Returns whether it had expired; null when the upload was removed. */
    renew: (_id: string, leaseMs: number, session: ClientSession) =>
      leases.findOneAndUpdate({ _id }, leaseTaken(owner, leaseMs), { ...previousLease, session }),

    /** Ends the upload. Returns whether its lease had expired; null when the upload was removed. */
    end: (_id: string, session: ClientSession) =>
      leases.findOneAndDelete({ _id }, { ...previousLease, session }),

    async remove(id: string): Promise<boolean> {
      return (await uploads.deleteOne({ _id: id })).deletedCount === 1;
    },
  };
}
