import type { Delivery, DeliveryAttempt } from '@waymark/contracts';
import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { Collection } from 'mongodb';

/** A delivery as it is stored, in one document. */
export interface DeliveryRecord extends Delivery {
  /** The body, as the text that is signed and sent. */
  payload: string;
  /** The latest attempts, oldest first. */
  attempts: DeliveryAttempt[];
  /**
   * The endpoint's id while the delivery is pending, absent afterwards: an index over it is as small as the
   * backlog.
   */
  queue?: string;
  /** While pending: the time of the next attempt, or the end of the lease. */
  due_at?: string;
  /**
   * The fencing token of the process that may send it now. A result counts only under the lease it was sent
   * with.
   */
  lease: string | null;
  /** The trace that its attempts continue. */
  traceparent?: string;
  /** When MongoDB removes it, once its status is final. */
  expires_at?: Date;
}

/** A delivery that this process has leased. */
export type ClaimedDelivery = Omit<DeliveryRecord, 'attempts' | 'lease'> & {
  lease: string;
  leasedUntilMs: number;
  /** For a delivery sent before its commit: resolves when it is stored, or is certain not to be. */
  stored?: Promise<void>;
};

/** The outcome of one attempt of a claimed delivery. */
export interface AttemptResult {
  claimed: ClaimedDelivery;
  attempt: DeliveryAttempt;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  finished_at: string | null;
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

/** Returns when a delivery that finished at a given time is removed. */
export function expiryOf(finishedAt: string, retentionDays: number): Date {
  return new Date(Date.parse(finishedAt) + retentionDays * DAY_MS);
}
