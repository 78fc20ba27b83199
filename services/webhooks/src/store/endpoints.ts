import { type Webhook, webhookDefaults } from '@waymark/contracts';
import type { StreamPosition } from '@waymark/service-kit/events';
import { type Indexes, type PageRequest, recordCollection } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { StoreOptions } from './delivery-record.ts';

/** Identifies an endpoint, with the workspace that is the shard key. */
export interface EndpointKey {
  id: string;
  workspace_id: string;
}

/** An endpoint as it is stored. A deleted endpoint stays as a tombstone without its URL and secrets. */
export interface EndpointRecord extends Webhook {
  /** Encrypted. */
  secret: string;
  previous_secret: string | null;
  version: number;
  deleted_at: string | null;
  /** The endpoint was disabled or deleted, and its pending deliveries are still to be held or cancelled. */
  settling: boolean;
  /** The last day with a failure; days are 24 hours and count from `failing_since`, the first is 0. */
  failing_day: number;
  failing_days: number;
  /** The latest event at its creation; null if NATS was away, and for endpoints older than this field. */
  created_after: StreamPosition | null;
  /** The process that sends to an endpoint with its own rate (docs/decisions/0019); null before the first. */
  sender: EndpointSender | null;
  /** The id of the user or service account whose endpoints share the attempts; null for older endpoints. */
  created_by: string | null;
  /** The keyed hash of the network from which it was created; null for older endpoints. */
  created_from: string | null;
  /** Incremented by transactions that must conflict with enabling or deleting the endpoint. */
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
    // With deleted_at, a search skips tombstones, which may far outnumber the endpoints in use.
    { key: { workspace_id: 1, deleted_at: 1, _id: 1 } },
    { key: { settling: 1 }, partialFilterExpression: { settling: true } },
    {
      key: { previous_secret_until: 1 },
      partialFilterExpression: { previous_secret_until: { $type: 'string' } },
    },
  ],
  [WORKSPACES]: [],
};

const created = { created_after: null, created_by: null, created_from: null };
const defaults = { ...webhookDefaults, ...created, sender: null };

export function endpointStore({ database }: Pick<StoreOptions, 'database'>) {
  const records = recordCollection<EndpointRecord>(database, ENDPOINTS, { defaults });
  const { byId, collection: endpoints, find, insert } = records;
  /** Guard documents: they make concurrent creations in a workspace conflict, so that its limit holds. */
  const workspaces = database.collection<{ _id: string; revision: number }>(WORKSPACES);

  return {
    /** Returns tombstones too. */
    byId,
    insert,

    ofWorkspaces: (workspaceIds: string[]) => find({ workspace_id: { $in: workspaceIds }, deleted_at: null }),

    page: (workspace_id: string, page: PageRequest) =>
      records.page({ workspace_id, deleted_at: null }, -1, page, `webhooks/${workspace_id}`),

    /** Counts the endpoints of a workspace; no other transaction can create one until this one ends. */
    async countGuarded(workspaceId: string, session: ClientSession): Promise<number> {
      await workspaces.updateOne({ _id: workspaceId }, { $inc: { revision: 1 } }, { upsert: true, session });
      return endpoints.countDocuments({ workspace_id: workspaceId, deleted_at: null }, { session });
    },

    async update(id: string, fields: Partial<EndpointRecord>, session: ClientSession): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: fields }, { session });
    },

    /**
     * Disables an endpoint and returns it. Returns null if the endpoint has another URL by now, is disabled
     * or deleted, or has succeeded since it was `failing`.
     */
    async disable(
      { id, workspace_id, url, failing_since }: EndpointRecord,
      reason: 'gone' | 'failing',
      now: string,
      session: ClientSession,
    ): Promise<EndpointRecord | null> {
      const changed = { enabled: false, disabled_reason: reason, disabled_at: now, updated_at: now };
      // A sharded cluster needs the shard key in the filter.
      const open = { _id: id, workspace_id, url, enabled: true, deleted_at: null };
      return records.findAndUpdate(
        { ...open, ...(reason === 'failing' && { failing_since }) },
        { $set: { ...changed, settling: true }, $inc: { version: 1 } },
        session,
      );
    },

    /** Whether an endpoint is disabled and not deleted; conflicts with transactions that change that. */
    async guardDisabled(id: string, session: ClientSession): Promise<boolean> {
      const filter = { _id: id, enabled: false, deleted_at: null };
      const { matchedCount } = await endpoints.updateOne(filter, { $inc: { guard: 1 } }, { session });
      return matchedCount === 1;
    },

    /** Records the first failure since the last success, unless the URL has changed meanwhile. */
    async markFailing(id: string, url: string, since: string): Promise<void> {
      const fields = { failing_since: since, failing_day: 0, failing_days: 1 };
      await endpoints.updateOne({ _id: id, url, failing_since: null }, { $set: fields });
    },

    /** Records a failure on a later day. Returns false for a day that is known, or after a success. */
    async markFailingDay(id: string, since: string, day: number, session: ClientSession): Promise<boolean> {
      const { modifiedCount } = await endpoints.updateOne(
        { _id: id, failing_since: since, failing_day: { $not: { $gte: day } } },
        { $set: { failing_day: day }, $inc: { failing_days: 1 } },
        { session },
      );
      return modifiedCount > 0;
    },

    async markHealthy(id: string): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: { failing_since: null } });
    },

    /** Returns false while another process holds the lease. */
    async acquireLease({ id, workspace_id }: EndpointKey, sender: EndpointSender, now: string) {
      const isFree = [{ sender: null }, { 'sender.id': sender.id }, { 'sender.until': { $lte: now } }];
      const filter = { _id: id, workspace_id, $or: isFree };
      return (await endpoints.updateOne(filter, { $set: { sender } })).matchedCount === 1;
    },

    /** Shortens a process's leases on endpoints, so that they end at `until` at the latest. */
    async shortenLeases(ids: string[], { id, until }: EndpointSender): Promise<void> {
      if (ids.length === 0) return;
      const longer = { _id: { $in: ids }, 'sender.id': id, 'sender.until': { $gt: until } };
      await endpoints.updateMany(longer, { $set: { 'sender.until': until } });
    },

    settling: () => find({ settling: true }),

    async settled(id: string, session: ClientSession): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $set: { settling: false } }, { session });
    },

    async dropOldSecrets(now: string): Promise<void> {
      await endpoints.updateMany(
        // Without $type MongoDB does not use the partial index.
        { previous_secret_until: { $type: 'string', $lte: now } },
        { $set: { previous_secret: null, previous_secret_until: null } },
      );
    },
  };
}
