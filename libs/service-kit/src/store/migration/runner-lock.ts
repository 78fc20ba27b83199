import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@waymark/contracts';
import type { Db, Filter, UpdateFilter } from 'mongodb';
import { isDuplicate } from '../database.ts';
import { type Lease, leaseFree, leaseHeldBy, leaseReleased, leaseTaken } from '../lease.ts';

type LockDocument = { _id: string; lease?: Lease };

export const LOCK = 'schema_lock';
/** How long a killed runner blocks the others. */
const LEASE_MS = 15_000;
const POLL_MS = 200;
const RENEWALS_PER_LEASE = 3;

/** The ids of the locks: 'lock' (the name from version 1.0) of a migration, 'restore' of a restore. */
type LockId = 'lock' | 'restore';

const TAKEN_OVER: Record<LockId, string> = {
  lock: 'another runner has taken over this migration',
  restore: 'another restore of these databases has begun meanwhile',
};

/** Lets one runner at a time do some work in a database. */
export function runnerLock(
  db: Db,
  _id: LockId,
  { leaseMs = LEASE_MS, onWait }: { leaseMs?: number; onWait?: (() => void) | undefined } = {},
) {
  const locks = db.collection<LockDocument>(LOCK);
  const owner = newId();
  const change = async (filter: Filter<LockDocument>, update: UpdateFilter<LockDocument>) =>
    (await locks.updateOne({ _id, ...filter }, update)).matchedCount > 0;
  const acquire = () =>
    change({ $or: [leaseHeldBy(owner), leaseFree()] }, leaseTaken<LockDocument>(owner, leaseMs));
  const renew = () => change(leaseHeldBy(owner), leaseTaken<LockDocument>(owner, leaseMs));
  let renewing: NodeJS.Timeout | undefined;

  return {
    /** Waits while another runner holds the lock; if that runner was killed, at most until its lease ends. */
    async acquire() {
      await locks.insertOne({ _id }).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
      for (let round = 0; !(await acquire()); round += 1) {
        if (round === 0) onWait?.();
        await delay(POLL_MS);
      }
      // An index build may take longer than a lease. The next assertion reports a failed renewal.
      renewing = setInterval(() => void renew().catch(() => false), leaseMs / RENEWALS_PER_LEASE);
      renewing.unref();
    },
    /** Throws when another runner has taken the lock, because this one did not renew it during its lease. */
    async assertHeld() {
      if (!(await renew())) throw new Error(TAKEN_OVER[_id]);
    },
    /** Does nothing unless it was acquired. */
    async release() {
      if (!renewing) return;
      clearInterval(renewing);
      await change(leaseHeldBy(owner), leaseReleased<LockDocument>());
    },
  };
}
