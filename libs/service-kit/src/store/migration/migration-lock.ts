import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@waymark/contracts';
import type { Collection } from 'mongodb';
import { isDuplicate } from '../database.ts';
import { acquireLease, type Lease, releaseLease, renewLease } from '../lease.ts';

type LockDocument = { _id: string; lease?: Lease };

const LOCK = { _id: 'lock' };
const POLL_MS = 200;
const RENEWALS_PER_LEASE = 3;

/** Lets one runner at a time migrate a database. */
export function migrationLock(locks: Collection<LockDocument>, leaseMs: number, onWait?: () => void) {
  const owner = newId();
  const renew = () => renewLease(locks, LOCK, owner, leaseMs);
  let renewing: NodeJS.Timeout | undefined;

  return {
    /** Waits while another runner holds the lock; if that runner was killed, at most until its lease ends. */
    async acquire() {
      await locks.insertOne(LOCK).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
      for (let round = 0; !(await acquireLease(locks, LOCK, owner, leaseMs)); round += 1) {
        if (round === 0) onWait?.();
        await delay(POLL_MS);
      }
      // An index build may take longer than a lease. The next assertion reports a failed renewal.
      renewing = setInterval(() => void renew().catch(() => false), leaseMs / RENEWALS_PER_LEASE);
      renewing.unref();
    },
    /** Throws when another runner has taken the lock, because this one did not renew it during its lease. */
    async assertHeld() {
      if (!(await renew())) throw new Error('another runner has taken over this migration');
    },
    async release() {
      clearInterval(renewing);
      await releaseLease(locks, LOCK, owner);
    },
  };
}
