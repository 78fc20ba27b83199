import { deliveryStatuses, firstIdAt } from '@waymark/contracts';
import {
  inTransaction,
  type PageRequest,
  recordCollection,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession, Filter } from 'mongodb';
import {
  type CountedBy,
  type CounterChanges,
  count,
  counterStore,
  counterWrites,
  type DeliveryStatus,
} from './counters.ts';
import {
  DELIVERIES,
  type DeliveryRecord,
  expiryOf,
  groupOptions,
  type StoreOptions,
} from './delivery-record.ts';
import type { EndpointKey } from './endpoints.ts';

const WITHOUT_BODIES = { payload: 0, attempts: 0 } as const;

/** The deliveries, except for leases and results (claims.ts). */
export function deliveryStore({ database, retentionDays }: StoreOptions) {
  const records = recordCollection<DeliveryRecord>(database, DELIVERIES);
  const { byId, collection: deliveries } = records;
  const listed = recordCollection<DeliveryRecord>(database, DELIVERIES, { projection: WITHOUT_BODIES });
  const counters = counterStore(database);

  async function insert(
    records: DeliveryRecord[],
    by: CountedBy,
    session: ClientSession,
  ): Promise<Set<string>> {
    // Usually all deliveries are new, and a single command inserts and counts them.
    const writes = [...records.map(insertion), ...counterWrites(acceptance(records, 1), by)];
    const { upsertedIds } = await deliveries.bulkWrite(writes, { session });
    const known = records.filter((_, i) => !(i in upsertedIds));
    await counters.add(acceptance(known, -1), by, session);
    return new Set(records.filter((_, i) => i in upsertedIds).map(({ id }) => id));
  }

  return {
    insert: (delivery: DeliveryRecord, session: ClientSession) => insert([delivery], 'settings', session),

    /**
     * Stores the deliveries that do not exist yet and returns their ids. Calls `beforeCommit` once no other
     * process can store them.
     */
    insertNew(
      records: DeliveryRecord[],
      beforeCommit: (inserted: Set<string>) => void = () => undefined,
    ): Promise<Set<string>> {
      const store = async (session: ClientSession) => {
        const inserted = await insert(records, 'fan_out', session);
        beforeCommit(inserted);
        return inserted;
      };
      return inTransaction(database.client, store, groupOptions(records));
    },

    byId,

    page(
      { id, workspace_id }: EndpointKey,
      { status, event }: { status?: DeliveryStatus | undefined; event?: string | undefined },
      page: PageRequest,
    ) {
      const filter = {
        workspace_id,
        webhook_id: id,
        status: { $in: status ? [status] : [...deliveryStatuses] },
        ...(event !== undefined && { event_type: event }),
      } as Filter<Stored<DeliveryRecord>>;
      return listed.page(filter, -1, page, JSON.stringify(['deliveries', id, status ?? null, event ?? null]));
    },

    /** Moves up to `limit` pending deliveries that are not being sent to `to`; returns how many. */
    async settle(
      { id: webhook_id, workspace_id }: EndpointKey,
      to: 'held' | 'cancelled',
      { limit, now, session }: { limit: number; now: string; session: ClientSession },
    ): Promise<number> {
      const ofEndpoint = { workspace_id, webhook_id };
      const isFinal = to === 'cancelled';
      const isIdle = { $or: [{ lease: null }, { due_at: { $lte: now } }] };
      const from: Filter<Stored<DeliveryRecord>>[] = [{ queue: webhook_id, ...isIdle }];
      if (isFinal) from.push({ status: 'held' });
      const found = await deliveries
        .find({ ...ofEndpoint, $or: from }, { session, projection: { status: 1 }, limit })
        .toArray();
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
      const ofEndpoint = { webhook_id: endpoint.id, workspace_id: endpoint.workspace_id };
      const { modifiedCount } = await deliveries.updateMany(
        { _id: { $in: ids }, workspace_id: endpoint.workspace_id, status },
        {
          $set: {
            status: 'pending',
            attempt: 0,
            max_attempts: maxAttempts,
            next_attempt_at: now,
            finished_at: null,
            queue: endpoint.id,
            due_at: now,
          },
          $inc: { series: 1 },
          $unset: { expires_at: 1 },
        },
        { session },
      );
      const changes: CounterChanges = new Map();
      count(changes, ofEndpoint, status, -modifiedCount);
      count(changes, ofEndpoint, 'pending', modifiedCount);
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

function acceptance(records: DeliveryRecord[], n: 1 | -1): CounterChanges {
  const changes: CounterChanges = new Map();
  for (const delivery of records) {
    count(changes, delivery, 'accepted', n);
    count(changes, delivery, 'pending', n);
  }
  return changes;
}
