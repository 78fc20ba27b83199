import { type CursorCodec, type Webhook, webhookDefaults } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { DueLane } from './delivery-record.ts';

/** An endpoint as it is stored. A deleted one stays as a tombstone, without its URL and secrets. */
export interface EndpointRecord extends Webhook {
  /** Encrypted. */
  secret: string;
  previous_secret: string | null;
  version: number;
  deleted_at: string | null;
  /** Disabled or deleted while deliveries may be pending: they are still to be held or cancelled. */
  settling: boolean;
  /** Of the days since failing_since, 24 hours each from 0: the last with a failure, and how many had one. */
  failing_day?: number;
  failing_days?: number;
  /** The process that sends to it until a moment, where it has a rate of its own; absent before the first. */
  sender?: EndpointSender;
  /** Raised by what must not happen beside an enabling or a deletion. */
  guard: number;
}

export interface EndpointSender {
  id: string;
  until: string;
}

export const ENDPOINTS = 'endpoints';
export const WORKSPACES = 'workspaces';

export const endpointIndexes: Indexes = {
  [ENDPOINTS]: [
    // Deleted ones stay, and may be far more than those that are left.
    { key: { workspace_id: 1, deleted_at: 1, _id: 1 } },
    { key: { settling: 1 }, partialFilterExpression: { settling: true } },
    {
      key: { previous_secret_until: 1 },
      partialFilterExpression: { previous_secret_until: { $type: 'string' } },
    },
  ],
  [WORKSPACES]: [],
};

export type EndpointStore = ReturnType<typeof endpointStore>;

export function endpointStore(database: Database, cursors: CursorCodec) {
  const endpoints = database.collection<Stored<EndpointRecord>>(ENDPOINTS);
  /** Guard documents: two creations in a workspace must not both take its last place. */
  const workspaces = database.collection<{ _id: string; revision: number }>(WORKSPACES);
  const record = (found: Stored<EndpointRecord> | null) =>
    found && fromDocument<EndpointRecord>(found, webhookDefaults);

  return {
    /** Also a tombstone's. */
    async byId(id: string, session?: ClientSession): Promise<EndpointRecord | null> {
      return record(await endpoints.findOne({ _id: id }, { ...(session && { session }) }));
    },

    /** Every live endpoint of these workspaces. */
    async ofWorkspaces(workspaceIds: string[]): Promise<EndpointRecord[]> {
      const found = await endpoints.find({ workspace_id: { $in: workspaceIds }, deleted_at: null }).toArray();
      return found.map((document) => fromDocument<EndpointRecord>(document, webhookDefaults));
    },

    page(workspaceId: string, page: PageRequest): Promise<KeysetPage<EndpointRecord>> {
      return keysetPage<EndpointRecord>({
        defaults: webhookDefaults,
        collection: endpoints,
        filter: { workspace_id: workspaceId, deleted_at: null },
        sort: [['_id', -1]],
        page,
        cursors,
        scope: `webhooks/${workspaceId}`,
      });
    },

    /** How many there are; no other transaction creates one before this one ends. */
    async countGuarded(workspaceId: string, session: ClientSession): Promise<number> {
      await workspaces.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
      return endpoints.countDocuments({ workspace_id: workspaceId, deleted_at: null }, { session });
    },

    async insert(endpoint: EndpointRecord, session: ClientSession): Promise<void> {
      await endpoints.insertOne(toDocument(endpoint), { session });
    },

    async update(id: string, fields: Partial<EndpointRecord>, session: ClientSession): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: fields }, { session });
    },

    /**
     * Disables it and gives it as it is then; null when it has changed its URL, or was disabled or deleted before, or,
     * where it is to be disabled for failing, has had a success since.
     */
    async disable(
      { id, workspace_id, url, failing_since }: EndpointRecord,
      reason: 'gone' | 'failing',
      now: string,
      session: ClientSession,
    ): Promise<EndpointRecord | null> {
      const fields = {
        enabled: false,
        disabled_reason: reason,
        disabled_at: now,
        updated_at: now,
        settling: true,
      };
      return record(
        await endpoints.findOneAndUpdate(
          // A sharded cluster finds and changes at once by the shard key alone.
          {
            _id: id,
            workspace_id,
            url,
            enabled: true,
            deleted_at: null,
            ...(reason === 'failing' && { failing_since }),
          },
          { $set: fields, $inc: { version: 1 } },
          { session, returnDocument: 'after' },
        ),
      );
    },

    /** Whether it is disabled and not deleted; conflicts with whoever changes that at the same time. */
    async guardDisabled(id: string, session: ClientSession): Promise<boolean> {
      const filter = { _id: id, enabled: false, deleted_at: null };
      const { matchedCount } = await endpoints.updateOne(filter, { $inc: { guard: 1 } }, { session });
      return matchedCount === 1;
    },

    /** Notes the first failure since the last success, unless the endpoint has moved to another URL meanwhile. */
    async markFailing(id: string, url: string, since: string): Promise<void> {
      const fields = { failing_since: since, failing_day: 0, failing_days: 1 };
      await endpoints.updateOne({ _id: id, url, failing_since: null }, { $set: fields });
    },

    /** Notes a failure on a later day of a streak; whoever notes the same day again changes nothing. */
    async markFailingDay(id: string, since: string, day: number): Promise<void> {
      await endpoints.updateOne(
        { _id: id, failing_since: since, failing_day: { $not: { $gte: day } } },
        { $set: { failing_day: day }, $inc: { failing_days: 1 } },
      );
    },

    async markHealthy(id: string): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: { failing_since: null } });
    },

    /** Makes a process the one that sends to an endpoint; false while that is another. */
    async appointSender(
      { id, workspace_id }: EndpointRecord,
      sender: EndpointSender,
      now: string,
    ): Promise<boolean> {
      const isFree = [
        { sender: { $exists: false } },
        { 'sender.id': sender.id },
        { 'sender.until': { $lte: now } },
      ];
      const filter = { _id: id, workspace_id, $or: isFree };
      const { matchedCount } = await endpoints.updateOne(filter, { $set: { sender } });
      return matchedCount === 1;
    },

    /** Has a process be the sender of these endpoints until `sender.until` at the latest. */
    async resignSender(lanes: DueLane[], sender: EndpointSender): Promise<void> {
      if (lanes.length === 0) return;
      const { id, until } = sender;
      const resignations = lanes.map(({ webhookId: _id, workspaceId: workspace_id }) => ({
        updateOne: {
          filter: { _id, workspace_id, 'sender.id': id, 'sender.until': { $gt: until } },
          update: { $set: { 'sender.until': until } },
        },
      }));
      await endpoints.bulkWrite(resignations, { ordered: false });
    },

    /** Endpoints whose pending deliveries are still to be held or cancelled. */
    async settling(): Promise<EndpointRecord[]> {
      const found = await endpoints.find({ settling: true }).toArray();
      return found.map((document) => fromDocument<EndpointRecord>(document, webhookDefaults));
    },

    async settled(id: string, session: ClientSession): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: { settling: false } }, { session });
    },

    /** Drops previous secrets whose time is over. */
    async forgetOldSecrets(now: string): Promise<void> {
      await endpoints.updateMany(
        // By its type too, or MongoDB does not see that the index has all that this is about.
        { previous_secret_until: { $type: 'string', $lte: now } },
        { $set: { previous_secret: null, previous_secret_until: null } },
      );
    },
  };
}
