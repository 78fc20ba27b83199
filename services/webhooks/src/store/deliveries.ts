import { type CursorCodec, deliveryStatuses, firstIdAt } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import {
  type CountedBy,
  type CounterChanges,
  type CounterStore,
  count,
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

  async function insert(
    records: DeliveryRecord[],
    by: CountedBy,
    session: ClientSession,
  ): Promise<Set<string>> {
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
    await counters.add(changes, by, session);
    return inserted;
  }

  return {
    /** Stores a delivery within a transaction. */
    async insert(delivery: DeliveryRecord, session: ClientSession): Promise<void> {
      await insert([delivery], 'settings', session);
    },

    /** Stores those that are not there yet and says which these are: whoever stored one may send it. */
    insertNew(records: DeliveryRecord[]): Promise<Set<string>> {
      const patienceMs = records.length > 1 ? GROUP_PATIENCE_MS : PATIENCE_MS;
      return inTransaction(database, (session) => insert(records, 'fan_out', session), patienceMs);
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
        for (const { status } of found) count(changes, lane.webhookId, status, -1);
        count(changes, lane.webhookId, to, found.length);
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
      count(changes, endpoint.id, status, -modifiedCount);
      count(changes, endpoint.id, 'pending', modifiedCount);
      await counters.add(changes, 'settings', session);
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
