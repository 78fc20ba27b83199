import { limits } from '@waymark/contracts';
import { type Database, fromDocument } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { anySlot, type CounterChanges, count, counterWrites } from './counters.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimOf,
  type DeliveryRecord,
  type DueLane,
  deliveryCollection,
  expiryOf,
} from './delivery-record.ts';
import { historyWrites } from './history.ts';
import { GROUP_PATIENCE_MS, inTransaction, PATIENCE_MS } from './transaction.ts';

export interface ClaimOptions {
  limit: number;
  bytes: number;
  bytesMost: number;
  now: string;
  lease: string;
  untilMs: number;
}

/** The first of them, up to the one that makes it `bytes`, without those that would make it more than `most`. */
function firstBytes<T extends { bytes: number }>(found: T[], bytes: number, most: number): T[] {
  let taken = 0;
  return found.filter((one) => {
    const isIn = taken < bytes && taken + one.bytes <= most;
    if (isIn) taken += one.bytes;
    return isIn;
  });
}

export type ClaimStore = ReturnType<typeof claimStore>;

/** Who sends what: leases, and the results that count only under one. */
export function claimStore(options: { database: Database; retentionDays: number }) {
  const { database, retentionDays } = options;
  const deliveries = deliveryCollection(database);

  const resultUpdate = ({ claimed, attempt, status, next_attempt_at, finished_at }: AttemptResult) => ({
    updateOne: {
      filter: { _id: claimed.id, workspace_id: claimed.workspace_id, lease: claimed.lease },
      update: {
        $set: {
          status,
          attempt: attempt.attempt,
          next_attempt_at,
          finished_at,
          lease: null,
          ...(next_attempt_at && { due_at: next_attempt_at }),
          ...(finished_at && { expires_at: expiryOf(finished_at, retentionDays) }),
        },
        ...(finished_at && { $unset: { lane: 1, due_at: 1 } }),
        $push: { attempts: { $each: [attempt], $slice: -limits.webhookAttemptsKept } },
      },
    },
  });

  /** All of them, or false and none: some lease had passed to another. */
  function writeResults(results: AttemptResult[]): Promise<boolean> {
    const changes: CounterChanges = new Map();
    for (const { claimed, status } of results) {
      if (status === 'pending') continue;
      count(changes, claimed, 'pending', -1);
      count(changes, claimed, status, 1);
    }
    const write = async (session: ClientSession) => {
      const slot = anySlot();
      const writes = [
        ...results.map(resultUpdate),
        ...counterWrites(changes, 'results', slot),
        ...historyWrites(results, slot),
      ];
      const { matchedCount, upsertedCount } = await deliveries.bulkWrite(writes as never, { session });
      const isWhole = matchedCount + upsertedCount === writes.length;
      if (!isWhole) await session.abortTransaction();
      return isWhole;
    };
    return inTransaction(database, write, results.length > 1 ? GROUP_PATIENCE_MS : PATIENCE_MS);
  }

  return {
    /** The endpoints that have something due, found by one index seek each, whatever the backlog. */
    async dueLanes(now: string): Promise<(DueLane & { dueAt: string })[]> {
      const found = deliveries.aggregate<{ _id: string; workspace_id: string; due_at: string }>([
        { $match: { lane: { $gt: '' } } },
        { $sort: { lane: 1, due_at: 1 } },
        {
          $group: { _id: '$lane', due_at: { $first: '$due_at' }, workspace_id: { $first: '$workspace_id' } },
        },
        { $match: { due_at: { $lte: now } } },
      ]);
      return (await found.toArray()).map(({ _id, workspace_id, due_at }) => ({
        webhookId: _id,
        workspaceId: workspace_id,
        dueAt: due_at,
      }));
    },

    /**
     * Leases up to `limit` due deliveries of an endpoint, the longest due first, until their payloads are `bytes` or more; none that
     * would make them more than `bytesMost`.
     * Two processes that claim at once get different ones: each document goes to the first whose update finds it due.
     */
    async claim(
      lane: DueLane,
      options: ClaimOptions,
    ): Promise<{ claimed: ClaimedDelivery[]; isMore: boolean }> {
      const { limit, bytes, bytesMost, now, lease, untilMs } = options;
      const isDue = { lane: lane.webhookId, due_at: { $lte: now } };
      const found = await deliveries
        .find(isDue)
        .project<{ _id: string; bytes: number }>({ bytes: { $strLenBytes: '$payload' } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray();
      const due = firstBytes(found, bytes, bytesMost);
      if (due.length === 0) return { claimed: [], isMore: false };
      const isMore = found.length === limit || due.length < found.length;
      const among = { _id: { $in: due.map(({ _id }) => _id) }, workspace_id: lane.workspaceId };
      const leased = { lease, due_at: new Date(untilMs).toISOString() };
      await deliveries.updateMany({ ...among, ...isDue }, { $set: leased });
      const mine = await deliveries.find({ ...among, lease }, { projection: { attempts: 0 } }).toArray();
      const claimed = mine.map((document) => claimOf(fromDocument<DeliveryRecord>(document), lease, untilMs));
      return { claimed, isMore };
    },

    /** Prolongs a lease, if it is still ours. */
    async renew({ id, workspace_id, lease }: ClaimedDelivery, untilMs: number): Promise<boolean> {
      const filter = { _id: id, workspace_id, lease };
      const { matchedCount } = await deliveries.updateOne(filter, {
        $set: { due_at: new Date(untilMs).toISOString() },
      });
      return matchedCount === 1;
    },

    /** Gives back what was claimed and will not be sent, for anyone to take up at once. */
    async release(claimed: ClaimedDelivery[], now: string): Promise<void> {
      if (claimed.length === 0) return;
      const updates = claimed.map(({ id, workspace_id, lease }) => ({
        updateOne: {
          filter: { _id: id, workspace_id, lease },
          update: { $set: { lease: null, due_at: now } },
        },
      }));
      await deliveries.bulkWrite(updates, { ordered: false });
    },

    /** Writes attempts with what follows from them; false for each whose lease had passed to another. */
    async record(results: AttemptResult[]): Promise<boolean[]> {
      if (await writeResults(results)) return results.map(() => true);
      if (results.length === 1) return [false];
      const written: boolean[] = [];
      for (const result of results) written.push(await writeResults([result]));
      return written;
    },
  };
}
