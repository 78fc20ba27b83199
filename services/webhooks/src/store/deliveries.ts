import {
  type CursorCodec,
  type Delivery,
  type DeliveryAttempt,
  deliveryStatuses,
  firstIdAt,
  limits,
} from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import { type CounterChanges, type CounterStore, count, type DeliveryStatus } from './counters.ts';
import { inTransaction } from './transaction.ts';

/** A delivery as it is stored, whole in one document. */
export interface DeliveryRecord extends Delivery {
  /** The body, as the text that is signed and sent. */
  payload: string;
  /** The latest, oldest first. */
  attempts: DeliveryAttempt[];
  /** The endpoint while pending, absent afterwards: an index over it is as small as the backlog. */
  lane?: string;
  /** When to take it up, while pending: its next attempt, or the end of a lease. */
  due_at?: string;
  /** The fencing token of whoever may send it now. A result counts only under the lease that it was sent with. */
  lease: string | null;
  /** When it ages out, once its status is final. */
  expires_at?: Date;
}

/** A delivery whose lease this process holds. */
export type ClaimedDelivery = Pick<
  DeliveryRecord,
  | 'id'
  | 'workspace_id'
  | 'webhook_id'
  | 'event_type'
  | 'payload'
  | 'series'
  | 'attempt'
  | 'max_attempts'
  | 'created_at'
> & { lease: string; leasedUntilMs: number };

/** What an attempt made of a claimed delivery. */
export interface AttemptResult {
  claimed: ClaimedDelivery;
  attempt: DeliveryAttempt;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** An endpoint with something due. */
export interface DueLane {
  webhookId: string;
  workspaceId: string;
}

const DELIVERIES = 'deliveries';
const DAY_MS = 86_400_000;
const WITHOUT_BODIES = { payload: 0, attempts: 0 } as const;

export const deliveryIndexes: Indexes = {
  [DELIVERIES]: [
    { key: { workspace_id: 1, webhook_id: 1, status: 1, _id: 1, event_type: 1 } },
    // Senders work for all workspaces: this one is led by the endpoint, and holds what is pending alone.
    { key: { lane: 1, due_at: 1 }, partialFilterExpression: { lane: { $exists: true } } },
    {
      key: { expires_at: 1 },
      expireAfterSeconds: 0,
      partialFilterExpression: { expires_at: { $exists: true } },
    },
  ],
};

export type DeliveryStore = ReturnType<typeof deliveryStore>;

export function deliveryStore(options: {
  database: Database;
  counters: CounterStore;
  cursors: CursorCodec;
  retentionDays: number;
}) {
  const { database, counters, cursors } = options;
  const deliveries = database.collection<Stored<DeliveryRecord>>(DELIVERIES);
  const expiry = (finishedAt: string) => new Date(Date.parse(finishedAt) + options.retentionDays * DAY_MS);
  const record = (document: Stored<DeliveryRecord>) => fromDocument<DeliveryRecord>(document);

  async function insert(records: DeliveryRecord[], session: ClientSession): Promise<Set<string>> {
    const upserts = records.map((delivery) => {
      const { _id, ...fields } = toDocument(delivery);
      return { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } };
    });
    const { upsertedIds } = await deliveries.bulkWrite(upserts as never, { session });
    const inserted = new Set(Object.values(upsertedIds) as unknown as string[]);
    const changes: CounterChanges = new Map();
    for (const { id, webhook_id } of records) {
      if (!inserted.has(id)) continue;
      count(changes, webhook_id, 'accepted', 1);
      count(changes, webhook_id, 'pending', 1);
    }
    await counters.add(changes, session);
    return inserted;
  }

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
          ...(finished_at && { expires_at: expiry(finished_at) }),
        },
        ...(finished_at && { $unset: { lane: 1, due_at: 1 } }),
        $push: { attempts: { $each: [attempt], $slice: -limits.webhookAttemptsKept } },
      },
    },
  });

  async function writeResults(results: AttemptResult[]): Promise<boolean> {
    return inTransaction(database, async (session) => {
      const { matchedCount } = await deliveries.bulkWrite(results.map(resultUpdate) as never, { session });
      if (matchedCount !== results.length) {
        await session.abortTransaction();
        return false;
      }
      const changes: CounterChanges = new Map();
      for (const { claimed, status } of results) {
        if (status === 'pending') continue;
        count(changes, claimed.webhook_id, 'pending', -1);
        count(changes, claimed.webhook_id, status, 1);
      }
      await counters.add(changes, session);
      return true;
    });
  }

  return {
    insert,

    /** Stores those that are not there yet and says which these are: whoever stored one may send it. */
    insertNew(records: DeliveryRecord[]): Promise<Set<string>> {
      return inTransaction(database, (session) => insert(records, session));
    },

    async byId(id: string, session?: ClientSession): Promise<DeliveryRecord | null> {
      const found = await deliveries.findOne({ _id: id }, { ...(session && { session }) });
      return found && record(found);
    },

    page(
      endpoint: { id: string; workspace_id: string },
      filters: { status?: DeliveryStatus | undefined; event?: string | undefined },
      page: PageRequest,
    ): Promise<KeysetPage<DeliveryRecord>> {
      return keysetPage<DeliveryRecord>({
        collection: deliveries,
        filter: {
          workspace_id: endpoint.workspace_id,
          webhook_id: endpoint.id,
          status: { $in: filters.status ? [filters.status] : [...deliveryStatuses] },
          ...(filters.event !== undefined && { event_type: filters.event }),
        } as Filter<Stored<DeliveryRecord>>,
        sort: [['_id', -1]],
        page,
        cursors,
        scope: JSON.stringify(['deliveries', endpoint.id, filters.status ?? null, filters.event ?? null]),
        projection: WITHOUT_BODIES,
      });
    },

    /** The endpoints that have something due, found by one index seek each, whatever the backlog. */
    async dueLanes(now: string): Promise<DueLane[]> {
      const found = deliveries.aggregate<{ _id: string; workspace_id: string }>([
        { $match: { lane: { $gt: '' } } },
        { $sort: { lane: 1, due_at: 1 } },
        {
          $group: { _id: '$lane', due_at: { $first: '$due_at' }, workspace_id: { $first: '$workspace_id' } },
        },
        { $match: { due_at: { $lte: now } } },
      ]);
      return (await found.toArray()).map(({ _id, workspace_id }) => ({
        webhookId: _id,
        workspaceId: workspace_id,
      }));
    },

    /**
     * Leases up to `limit` due deliveries of an endpoint, the longest due first. Two processes that claim at once get
     * different ones: each document goes to the first whose update finds it due.
     */
    async claim(lane: DueLane, options: { limit: number; now: string; lease: string; untilMs: number }) {
      const { limit, now, lease, untilMs } = options;
      const isDue = { lane: lane.webhookId, due_at: { $lte: now } };
      const due = await deliveries
        .find(isDue, { projection: { _id: 1 } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray();
      if (due.length === 0) return [];
      const among = { _id: { $in: due.map(({ _id }) => _id) }, workspace_id: lane.workspaceId };
      const leased = { lease, due_at: new Date(untilMs).toISOString() };
      await deliveries.updateMany({ ...among, ...isDue }, { $set: leased });
      const mine = await deliveries.find({ ...among, lease }, { projection: { attempts: 0 } }).toArray();
      return mine.map((document) => claimOf(record(document), lease, untilMs));
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

    /** Moves up to `limit` deliveries that nobody is sending to `to`; how many there were. */
    async settle(
      lane: DueLane,
      to: 'held' | 'cancelled',
      options: { limit: number; now: string; session: ClientSession },
    ): Promise<number> {
      const { limit, now, session } = options;
      const endpoint = { workspace_id: lane.workspaceId, webhook_id: lane.webhookId };
      const isIdle = { $or: [{ lease: null }, { due_at: { $lte: now } }] };
      const from: Filter<Stored<DeliveryRecord>>[] = [{ ...endpoint, lane: lane.webhookId, ...isIdle }];
      if (to === 'cancelled') from.push({ ...endpoint, status: 'held' });
      const changes: CounterChanges = new Map();
      let moved = 0;
      for (const filter of from) {
        const found = await deliveries
          .find(filter, { session, projection: { status: 1 } })
          .limit(limit - moved)
          .toArray();
        if (found.length === 0) continue;
        const isFinal = to === 'cancelled';
        await deliveries.updateMany(
          { _id: { $in: found.map(({ _id }) => _id) }, workspace_id: lane.workspaceId },
          {
            $set: {
              status: to,
              next_attempt_at: null,
              lease: null,
              ...(isFinal && { finished_at: now, expires_at: expiry(now) }),
            },
            $unset: { lane: 1, due_at: 1 },
          },
          { session },
        );
        for (const { status } of found) count(changes, lane.webhookId, status, -1);
        count(changes, lane.webhookId, to, found.length);
        moved += found.length;
        if (moved >= limit) break;
      }
      await counters.add(changes, session);
      return moved;
    },

    /** Whether anything is pending for an endpoint, being sent or not. */
    async hasPending(webhookId: string, session: ClientSession): Promise<boolean> {
      return (await deliveries.findOne({ lane: webhookId }, { session, projection: { _id: 1 } })) !== null;
    },

    /** Up to `limit` deliveries of a status for events since a moment, oldest first. */
    async replayable(
      endpoint: { id: string; workspace_id: string },
      status: DeliveryStatus,
      since: string,
      limit: number,
      session: ClientSession,
    ): Promise<string[]> {
      const from = firstIdAt(Date.parse(since));
      const filter = {
        workspace_id: endpoint.workspace_id,
        webhook_id: endpoint.id,
        status,
        _id: { $gte: from },
      };
      const found = await deliveries
        .find(filter, { session, projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** Starts a new series of deliveries that are all in `status`. */
    async restart(
      endpoint: { id: string; workspace_id: string },
      ids: string[],
      status: DeliveryStatus,
      options: { now: string; maxAttempts: number; session: ClientSession },
    ): Promise<void> {
      const { now, maxAttempts, session } = options;
      const { modifiedCount } = await deliveries.updateMany(
        { _id: { $in: ids }, workspace_id: endpoint.workspace_id, status },
        {
          $set: {
            status: 'pending',
            attempt: 0,
            max_attempts: maxAttempts,
            next_attempt_at: now,
            finished_at: null,
            lane: endpoint.id,
            due_at: now,
          },
          $inc: { series: 1 },
          $unset: { expires_at: 1 },
        },
        { session },
      );
      const changes: CounterChanges = new Map();
      count(changes, endpoint.id, status, -modifiedCount);
      count(changes, endpoint.id, 'pending', modifiedCount);
      await counters.add(changes, session);
    },

    /** Deletes up to `limit` deliveries of a workspace; how many there were. */
    async removeOfWorkspace(workspaceId: string, limit: number): Promise<number> {
      const found = await deliveries
        .find({ workspace_id: workspaceId }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      await deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, workspace_id: workspaceId });
      return found.length;
    },
  };
}

/** A stored delivery under a lease of ours. */
export function claimOf(delivery: DeliveryRecord, lease: string, leasedUntilMs: number): ClaimedDelivery {
  const { id, workspace_id, webhook_id, event_type, payload, series, attempt, max_attempts, created_at } =
    delivery;
  const fields = {
    id,
    workspace_id,
    webhook_id,
    event_type,
    payload,
    series,
    attempt,
    max_attempts,
    created_at,
  };
  return { ...fields, lease, leasedUntilMs };
}
