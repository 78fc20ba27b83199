import type { Database, Stored } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { leaseEnd, leaseIsOver, leaseIsValid } from './lease.ts';

/** A file that is being uploaded. While its lease is valid, it counts as an unfinished import of its workspace. */
export interface Upload {
  /** Id of the import that it becomes. */
  id: string;
  workspace_id: string;
  /** From the request's Idempotency-Key. */
  idempotency_id: string | null;
  /** By the clock of MongoDB. The receiving process renews it. */
  leased_until: Date;
  expires_at: Date;
}

export const UPLOADS = 'import_uploads';

export function importUploads(database: Database) {
  const uploads = database.collection<Stored<Upload>>(UPLOADS);
  const leases = database.collection<{ _id: string; wasOver: boolean }>(UPLOADS);
  /** Of the document before the change. */
  const previousLease = { projection: { wasOver: leaseIsOver.$expr } };

  return {
    async begin(
      { id, ...upload }: Omit<Upload, 'leased_until'>,
      leaseMs: number,
      session: ClientSession,
    ): Promise<void> {
      const set = { ...upload, leased_until: leaseEnd(leaseMs) };
      await uploads.updateOne({ _id: id }, [{ $set: set }], { upsert: true, session });
    },

    countActive: (workspaceId: string, exceptId: string, session: ClientSession) =>
      uploads.countDocuments(
        { workspace_id: workspaceId, _id: { $ne: exceptId }, ...leaseIsValid },
        { session },
      ),

    async isActive(workspaceId: string, idempotencyId: string, session: ClientSession): Promise<boolean> {
      const filter = { workspace_id: workspaceId, idempotency_id: idempotencyId, ...leaseIsValid };
      return (await uploads.findOne(filter, { session })) !== null;
    },

    /** Says whether the lease was over before; null when the upload was removed. */
    async renew(id: string, leaseMs: number, session: ClientSession): Promise<{ wasOver: boolean } | null> {
      const set = { leased_until: leaseEnd(leaseMs) };
      return leases.findOneAndUpdate({ _id: id }, [{ $set: set }], { ...previousLease, session });
    },

    /** Ends the upload. Says whether its lease was over; null when the upload was removed. */
    async end(id: string, session: ClientSession): Promise<{ wasOver: boolean } | null> {
      return leases.findOneAndDelete({ _id: id }, { ...previousLease, session });
    },

    async remove(id: string): Promise<boolean> {
      return (await uploads.deleteOne({ _id: id })).deletedCount === 1;
    },
  };
}
