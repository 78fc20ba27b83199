import { type CursorCodec, deliveryStatuses, firstIdAt } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  inTransaction,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Filter } from 'mongodb';
import { GROUP_TIMEOUT_MS } from './claims.ts';
import {
  type CountedBy,
  type CounterChanges,
  count,
  type counterStore,
  counterWrites,
  type DeliveryStatus,
} from './counters.ts';
import { type DeliveryRecord, deliveryCollection, expiryOf } from './delivery-record.ts';
import type { EndpointKey } from './endpoints.ts';

const WITHOUT_BODIES = { payload: 0, attempts: 0 } as const;

/** The deliveries, except for leases and results (claims.ts). */
export function deliveryStore(options: {
  database: Database;
  counters: ReturnType<typeof counterStore>;
  cursors: CursorCodec;
  retentionDays: number;
}) {
  const { database, counters, cursors, retentionDays } = options;
  const deliveries = deliveryCollection(database);
  const record = (document: Stored<DeliveryRecord>) => fromDocument<DeliveryRecord>(document);

  /**
   * Stores the deliveries that do not exist yet, and returns them. `counted` is counted in the same command.
   */
  async function insert(
    records: DeliveryRecord[],
    counted: DeliveryRecord[],
    by: CountedBy,
    session: ClientSession,
  ): Promise<DeliveryRecord[]> {
    const writes = [...records.map(insertion), ...counterWrites(acceptance(counted), by)];
    const { upsertedIds } = await deliveries.bulkWrite(writes as never, { session });
    return records.filter((_, i) => i in upsertedIds);
  }

  /** Expects all deliveries to be new, which takes a single command; returns null otherwise. */
  async function insertAll(
    records: DeliveryRecord[],
    session: ClientSession,
  ): Promise<DeliveryRecord[] | null> {
    const inserted = await insert(records, records, 'fan_out', session);
    return inserted.length === records.length ? inserted : null;
  }

  async function insertSome(records: DeliveryRecord[], session: ClientSession): Promise<DeliveryRecord[]> {
    const inserted = await insert(records, [], 'fan_out', session);
    await counters.add(acceptance(inserted), 'fan_out', session);
    return inserted;
  }

  return {
    /** Stores a new delivery within a transaction. */
    async insert(delivery: DeliveryRecord, session: ClientSession): Promise<void> {
      await insert([delivery], [delivery], 'settings', session);
    },

    /**
     * Stores the deliveries that do not exist yet and returns their ids: this process may send them. Calls
     * `beforeCommit` with the ids once no other process can store them any more. If `beforeCommit` returns
     * false, it stores nothing and returns null.
     */
    async insertNew(
      records: DeliveryRecord[],
      beforeCommit: (inserted: Set<string>) => Promise<boolean> = async () => true,
    ): Promise<Set<string> | null> {
      let isRefused = false;
      const storeWith = (insertInto: typeof insertAll) =>
        inTransaction(
          database.client,
          async (session) => {
            const inserted = await insertInto(records, session);
            const ids = inserted && new Set(inserted.map(({ id }) => id));
            isRefused = ids !== null && !(await beforeCommit(ids));
            if (ids && !isRefused) return ids;
            await session.abortTransaction();
            return null;
          },
          records.length > 1 ? { timeoutMs: GROUP_TIMEOUT_MS } : {},
        );
      const ids = await storeWith(insertAll);
      return ids || isRefused ? ids : storeWith(insertSome);
    },

    async byId(id: string, session?: ClientSession): Promise<DeliveryRecord | null> {
      const found = await deliveries.findOne({ _id: id }, { ...(session && { session }) });
      return found && record(found);
    },

    page(
      endpoint: EndpointKey,
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

    /**
     * Moves up to `limit` pending deliveries that are not being sent to `to`; returns how many there were.
     */
    async settle(
      endpoint: EndpointKey,
      to: 'held' | 'cancelled',
      { limit, now, session }: { limit: number; now: string; session: ClientSession },
    ): Promise<number> {
      const { id: webhook_id, workspace_id } = endpoint;
      const ofEndpoint = { workspace_id, webhook_id };
      const isFinal = to === 'cancelled';
      const isIdle = { $or: [{ lease: null }, { due_at: { $lte: now } }] };
      const from: Filter<Stored<DeliveryRecord>>[] = [{ ...ofEndpoint, queue: webhook_id, ...isIdle }];
      if (isFinal) from.push({ ...ofEndpoint, status: 'held' });
      const found: Pick<Stored<DeliveryRecord>, '_id' | 'status'>[] = [];
      for (const filter of from) {
        if (found.length >= limit) break;
        const wanted = { session, projection: { status: 1 }, limit: limit - found.length };
        found.push(...(await deliveries.find(filter, wanted).toArray()));
      }
      if (found.length === 0) return 0;
      await deliveries.updateMany(
        { _id: { $in: found.map(({ _id }) => _id) }, workspace_id },
        {
          $set: {
            status: to,
            next_attempt_at: null,
            lease: null,
            ...(isFinal && { finished_at: now, expires_at: expiryOf(now, retentionDays) }),
          },
          $unset: { queue: 1, due_at: 1 },
        },
        { session },
      );
      const changes: CounterChanges = new Map();
      for (const { status } of found) count(changes, ofEndpoint, status, -1);
      count(changes, ofEndpoint, to, found.length);
      await counters.add(changes, 'settings', session);
      return found.length;
    },

    /** Returns whether an endpoint has pending deliveries, including those being sent. */
    async hasPending(webhookId: string, session: ClientSession): Promise<boolean> {
      return (await deliveries.findOne({ queue: webhookId }, { session, projection: { _id: 1 } })) !== null;
    },

    /** Returns the ids of up to `limit` deliveries of a status for events since a moment, oldest first. */
    async replayable(
      endpoint: EndpointKey,
      status: DeliveryStatus,
      since: string,
      limit: number,
      session: ClientSession,
    ): Promise<string[]> {
      const _id = { $gte: firstIdAt(Date.parse(since)) };
      const filter = { workspace_id: endpoint.workspace_id, webhook_id: endpoint.id, status, _id };
      const found = await deliveries
        .find(filter, { session, projection: { _id: 1 }, sort: { _id: 1 }, limit })
        .toArray();
      return found.map((document) => document._id);
    },

    /** Starts a new series of attempts of deliveries that are all in `status`. */
    async restart(
      endpoint: EndpointKey,
      ids: string[],
      status: DeliveryStatus,
      { now, maxAttempts, session }: { now: string; maxAttempts: number; session: ClientSession },
    ): Promise<void> {
      const { id: webhook_id, workspace_id } = endpoint;
      const { modifiedCount } = await deliveries.updateMany(
        { _id: { $in: ids }, workspace_id, status },
        {
          $set: {
            status: 'pending',
            attempt: 0,
            max_attempts: maxAttempts,
            next_attempt_at: now,
            finished_at: null,
            queue: webhook_id,
            due_at: now,
          },
          $inc: { series: 1 },
          $unset: { expires_at: 1 },
        },
        { session },
      );
      const changes: CounterChanges = new Map();
      count(changes, { webhook_id, workspace_id }, status, -modifiedCount);
      count(changes, { webhook_id, workspace_id }, 'pending', modifiedCount);
      await counters.add(changes, 'settings', session);
    },
  };
}

function insertion(delivery: DeliveryRecord) {
  const { _id, ...fields } = toDocument(delivery);
  // A sharded cluster needs the shard key in the filter of an upsert.
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
