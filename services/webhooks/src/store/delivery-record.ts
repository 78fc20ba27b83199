import type { Delivery, DeliveryAttempt } from '@waymark/contracts';
import type { Database, Indexes, Stored, TransactionOptions } from '@waymark/service-kit/store';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';

export interface DeliveryRecord extends Delivery {
  /** The body, as the text that is signed and sent. */
  payload: string;
  /** The message that the last attempt sent to a chat instead of the payload. */
  sent?: string | null;
  /** The name of the actor, for a chat. */
  who?: string;
  attempts: DeliveryAttempt[];
  /** The endpoint's id while the delivery is pending: an index over it is as small as the backlog. */
  queue?: string;
  /** While pending: the time of the next attempt, or the end of the lease. */
  due_at?: string;
  /** The fencing token of the process that may send it now; its result counts only under this lease. */
  lease: string | null;
  traceparent?: string;
  /** When MongoDB removes it, once its status is final. */
  expires_at?: Date;
}

export type ClaimedDelivery = Omit<DeliveryRecord, 'attempts' | 'lease'> & {
  lease: string;
  leasedUntilMs: number;
  /** For a delivery sent before its commit: resolves when it is stored, or is certain not to be. */
  stored?: Promise<void>;
};

export interface AttemptResult {
  claimed: ClaimedDelivery;
  attempt: DeliveryAttempt;
  /** The new value of `sent`; undefined keeps the old one. */
  sent?: string | null;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** A write in the collection of deliveries, in which counters and hours are as well. */
export type DeliveryWrite = AnyBulkWriteOperation<Stored<DeliveryRecord>>;

export interface StoreOptions {
  database: Database;
  retentionDays: number;
}

export const DELIVERIES = 'deliveries';
const DAY_MS = 86_400_000;

export const deliveryIndexes: Indexes = {
  [DELIVERIES]: [
    { key: { workspace_id: 1, webhook_id: 1, status: 1, _id: 1, event_type: 1 } },
    // Senders work for all workspaces, so the endpoint leads. The index holds pending deliveries only.
    { key: { queue: 1, due_at: 1 }, partialFilterExpression: { queue: { $exists: true } } },
    {
      key: { expires_at: 1 },
      expireAfterSeconds: 0,
      partialFilterExpression: { expires_at: { $exists: true } },
    },
  ],
};

export function deliveryCollection(database: Database): Collection<Stored<DeliveryRecord>> {
  return database.collection(DELIVERIES);
}

/** The time limit for writing several deliveries together. Then each is written alone. */
const GROUP_TIMEOUT_MS = 500;

export function groupOptions(group: readonly unknown[]): TransactionOptions {
  return group.length > 1 ? { timeoutMs: GROUP_TIMEOUT_MS } : {};
}

export function expiryOf(finishedAt: string, retentionDays: number): Date {
  return new Date(Date.parse(finishedAt) + retentionDays * DAY_MS);
}
