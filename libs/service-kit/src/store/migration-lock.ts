import { newId } from '@waymark/contracts';
import type { Collection, Db, Document } from 'mongodb';
import { isDuplicate } from './database.ts';

/** The turn of one runner to migrate a database. Time is MongoDB's: runners' clocks may differ. */
export interface MigrationLock {
  /** Waits for its turn, at most as long as a killed runner's lease lasts, unless that runner is alive. */
  acquire(): Promise<void>;
  /** Throws when another runner has taken over: this one was away for longer than its lease. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

interface LockDocument {
  _id: string;
  owner: string | null;
  expires_at: Date;
}

const LOCK = 'lock';
const POLL_MS = 200;
const RENEWALS_PER_LEASE = 3;

export function migrationLock(
  db: Db,
  options: { collection: string; leaseMs: number; onWait: () => void },
): MigrationLock {
  const locks: Collection<LockDocument> = db.collection(options.collection);
  const owner = newId();
  const lease: Document[] = [{ $set: { owner, expires_at: { $add: ['$$NOW', options.leaseMs] } } }];
  let renewing: NodeJS.Timeout | undefined;

  async function take(): Promise<boolean> {
    const isFree = { $or: [{ owner: null }, { owner }, { $expr: { $lt: ['$expires_at', '$$NOW'] } }] };
    return (await locks.updateOne({ _id: LOCK, ...isFree }, lease)).matchedCount > 0;
  }

  const renew = async () => (await locks.updateOne({ _id: LOCK, owner }, lease)).matchedCount > 0;

  return {
    async acquire() {
      const free = { _id: LOCK, owner: null, expires_at: new Date(0) };
      await locks.insertOne(free).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
      for (let round = 0; !(await take()); round += 1) {
        if (round === 0) options.onWait();
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      // A build takes as long as it takes: the lease is renewed beside it. What fails here shows at the next assertion.
      renewing = setInterval(() => void renew().catch(() => false), options.leaseMs / RENEWALS_PER_LEASE);
      renewing.unref();
    },
    async assertHeld() {
      if (!(await renew())) throw new Error('another runner has taken this migration over');
    },
    async release() {
      clearInterval(renewing);
      await locks.updateOne({ _id: LOCK, owner }, { $set: { owner: null } });
    },
  };
}
