import { type CursorCodec, deliveryStatuses, firstIdAt } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Filter } from 'mongodb';
import {
  type CounterChanges,
  type CounterStore,
  count,
  counterWrites,
  type DeliveryStatus,
} from './counters.ts';
import { type DeliveryRecord, type DueLane, deliveryCollection, expiryOf } from './delivery-record.ts';
import { GROUP_PATIENCE_MS, inTransaction, PATIENCE_MS } from './transaction.ts';

const WITHOUT_BODIES = { payload: 0, attempts: 0 } as const;

export type DeliveryStore = ReturnType<typeof deliveryStore>;

export function deliveryStore(options: {
  database: Database;
  counters: CounterStore;
  cursors: CursorCodec;
  retentionDays: number;
}) {
  const { database, counters, cursors, retentionDays } = options;
  const deliveries = deliveryCollection(database);
  const record = (document: Stored<DeliveryRecord>) => fromDocument<DeliveryRecord>(document);

  /** Stores those that are not there yet, with their counts; gives their ids. */
  async function insert(records: DeliveryRecord[], session: ClientSession): Promise<Set<string>> {
    const { upsertedIds } = await deliveries.bulkWrite(records.map(insertion) as never, { session });
    const inserted = new Set(Object.values(upsertedIds) as unknown as string[]);
    await counters.add(acceptance(records.filter(({ id }) => inserted.has(id))), 'fan_out', session);
    return inserted;
  }

  /** The same in one command, which takes all of them for new; null when some were not, and nothing is to be kept. */
  async function insertAllNew(
    records: DeliveryRecord[],
    session: ClientSession,
  ): Promise<Set<string> | null> {
    const writes = [...records.map(insertion), ...counterWrites(acceptance(records), 'fan_out')];
    const { upsertedIds } = await deliveries.bulkWrite(writes as never, { session });
    return records.every((_, i) => i in upsertedIds) ? new Set(records.map(({ id }) => id)) : null;
  }

  return {
    /** Stores a delivery within a transaction. */
    async insert(delivery: DeliveryRecord, session: ClientSession): Promise<void> {
      const writes = [insertion(delivery), ...counterWrites(acceptance([delivery]), 'settings')];
      await deliveries.bulkWrite(writes as never, { session });
    },

    /**
     * Stores those that are not there yet and says which these are: whoever stored one may send it. `beforeCommit` gets them
     * when nobody else can store them any more, and says whether they are to be kept; null when they are not.
     */
    async insertNew(
      records: DeliveryRecord[],
      beforeCommit: (fresh: Set<string>) => Promise<boolean> = async () => true,
    ): Promise<Set<string> | null> {
      let isRefused = false;
      const storeWith = (store: typeof insertAllNew) =>
        inTransaction(
          database,
          async (session) => {
            const fresh = await store(records, session);
            isRefused = fresh !== null && !(await beforeCommit(fresh));
            if (!isRefused && fresh) return fresh;
            await session.abortTransaction();
            return null;
          },
          records.length > 1 ? GROUP_PATIENCE_MS : PATIENCE_MS,
        );
      const fresh = await storeWith(insertAllNew);
      return fresh || isRefused ? fresh : storeWith(insert);
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
              ...(isFinal && { finished_at: now, expires_at: expiryOf(now, retentionDays) }),
            },
            $unset: { lane: 1, due_at: 1 },
          },
          { session },
        );
        for (const { status } of found) count(changes, endpoint, status, -1);
        count(changes, endpoint, to, found.length);
        moved += found.length;
        if (moved >= limit) break;
      }
      await counters.add(changes, 'settings', session);
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
      const counted = { webhook_id: endpoint.id, workspace_id: endpoint.workspace_id };
      count(changes, counted, status, -modifiedCount);
      count(changes, counted, 'pending', modifiedCount);
      await counters.add(changes, 'settings', session);
    },
  };
}

function insertion(delivery: DeliveryRecord) {
  const { _id, ...fields } = toDocument(delivery);
  // A sharded cluster takes an upsert by the shard key alone.
  const filter = { _id, workspace_id: fields.workspace_id };
  return { updateOne: { filter, update: { $setOnInsert: fields }, upsert: true } };
}

function acceptance(records: DeliveryRecord[]): CounterChanges {
  const changes: CounterChanges = new Map();
  for (const delivery of records) {
    count(changes, delivery, 'accepted', 1);
    count(changes, delivery, 'pending', 1);
  }
  return changes;
}
