import { limits } from '@waymark/contracts';
import { fromDocument, inTransaction } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { type CounterChanges, count, counterWrites, randomSlot } from './counters.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  type DeliveryRecord,
  deliveryCollection,
  expiryOf,
  groupOptions,
  type StoreOptions,
} from './delivery-record.ts';
import type { EndpointKey } from './endpoints.ts';
import { historyWrites } from './history.ts';

/** Takes deliveries up to `bytes`, and skips any that would exceed it. */
function fitting<T extends { bytes: number }>(found: T[], bytes: number): T[] {
  let taken = 0;
  return found.filter((one) => {
    const fits = taken + one.bytes <= bytes;
    if (fits) taken += one.bytes;
    return fits;
  });
}

/**
 * Leases on deliveries, and the results that count only under a lease. As in service-kit's `store/lease.ts`,
 * a claim takes a lease, its holder renews or releases it, and one that has ended is free.
 */
export function claimStore({ database, retentionDays }: StoreOptions) {
  const deliveries = deliveryCollection(database);

  const underLease = ({ id, workspace_id, lease }: ClaimedDelivery) => ({ _id: id, workspace_id, lease });

  const resultUpdate = ({ claimed, attempt, sent, status, next_attempt_at, finished_at }: AttemptResult) => ({
    updateOne: {
      filter: underLease(claimed),
      update: {
        $set: {
          status,
          attempt: attempt.attempt,
          next_attempt_at,
          finished_at,
          lease: null,
          ...((sent ?? null) !== (claimed.sent ?? null) && { sent }),
          ...(next_attempt_at && { due_at: next_attempt_at }),
          ...(finished_at && { expires_at: expiryOf(finished_at, retentionDays) }),
        },
        ...(finished_at && { $unset: { queue: 1 as const, due_at: 1 as const } }),
        $push: { attempts: { $each: [attempt], $slice: -limits.webhookAttemptsKept } },
      },
    },
  });

  /** Writes all results, or none when this process has lost a lease. Returns whether it wrote them. */
  function writeResults(results: AttemptResult[]): Promise<boolean> {
    const changes: CounterChanges = new Map();
    for (const { claimed, status } of results) {
      if (status === 'pending') continue;
      count(changes, claimed, 'pending', -1);
      count(changes, claimed, status, 1);
    }
    const write = async (session: ClientSession) => {
      const slot = randomSlot();
      const writes = [
        ...results.map(resultUpdate),
        ...counterWrites(changes, 'results', slot),
        ...historyWrites(results, slot),
      ];
      const { matchedCount, upsertedCount } = await deliveries.bulkWrite(writes, { session });
      const isComplete = matchedCount + upsertedCount === writes.length;
      if (!isComplete) await session.abortTransaction();
      return isComplete;
    };
    return inTransaction(database.client, write, groupOptions(results));
  }

  return {
    /** Returns the endpoints with due deliveries, by one index seek for each. */
    async dueEndpoints(now: string): Promise<(EndpointKey & { due_at: string })[]> {
      const found = deliveries.aggregate<{ _id: string; workspace_id: string; due_at: string }>([
        { $match: { queue: { $gt: '' } } },
        { $sort: { queue: 1, due_at: 1 } },
        {
          $group: { _id: '$queue', due_at: { $first: '$due_at' }, workspace_id: { $first: '$workspace_id' } },
        },
        { $match: { due_at: { $lte: now } } },
      ]);
      return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },

    /** Leases due deliveries, the longest due first, unless another process has leased them meanwhile. */
    async claim(
      { id, workspace_id }: EndpointKey,
      options: {
        limit: number;
        bytes: number;
        now: string;
        lease: string;
        untilMs: number;
      },
    ) {
      const { limit, bytes, now, lease, untilMs } = options;
      const isDue = { queue: id, due_at: { $lte: now } };
      const found = await deliveries
        .find(isDue)
        .project<{ _id: string; bytes: number }>({ bytes: { $strLenBytes: '$payload' } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray();
      const due = fitting(found, bytes);
      if (due.length === 0) return { claimed: [], isMore: false };
      const isMore = found.length === limit || due.length < found.length;
      const among = { _id: { $in: due.map(({ _id }) => _id) }, workspace_id };
      const due_at = new Date(untilMs).toISOString();
      await deliveries.updateMany({ ...among, ...isDue }, { $set: { lease, due_at } });
      const leased = await deliveries.find({ ...among, lease }, { projection: { attempts: 0 } }).toArray();
      const claimed = leased.map(
        (found): ClaimedDelivery => ({
          ...fromDocument<DeliveryRecord>(found),
          lease,
          leasedUntilMs: untilMs,
        }),
      );
      return { claimed, isMore };
    },

    /** Returns false when this process has lost the lease. */
    async renew(claimed: ClaimedDelivery, untilMs: number): Promise<boolean> {
      const due_at = new Date(untilMs).toISOString();
      return (await deliveries.updateOne(underLease(claimed), { $set: { due_at } })).matchedCount === 1;
    },

    /** Ends leases, so that any process may claim the deliveries at once. */
    async release(claimed: ClaimedDelivery[], now: string): Promise<void> {
      if (claimed.length === 0) return;
      const update = { $set: { lease: null, due_at: now } };
      const updates = claimed.map((one) => ({ updateOne: { filter: underLease(one), update } }));
      await deliveries.bulkWrite(updates, { ordered: false });
    },

    /** Writes the results of attempts; returns false for each whose lease this process has lost. */
    async record(results: AttemptResult[]): Promise<boolean[]> {
      if (await writeResults(results)) return results.map(() => true);
      if (results.length === 1) return [false];
      const written: boolean[] = [];
      for (const result of results) written.push(await writeResults([result]));
      return written;
    },
  };
}
