import type { Delivery, DeliveryAttempt } from '@waymark/contracts';
import type { Database, Indexes, Stored } from '@waymark/service-kit/store';
import type { Collection } from 'mongodb';

/** Earlier versions kept less of an attempt. */
type StoredAttempt = Omit<DeliveryAttempt, 'request' | 'response_headers'> &
  Partial<Pick<DeliveryAttempt, 'request' | 'response_headers'>>;

/** A delivery as it is stored, whole in one document. */
export interface DeliveryRecord extends Delivery {
  /** The body, as the text that is signed and sent. */
  payload: string;
  /** The latest, oldest first. */
  attempts: StoredAttempt[];
  /** The endpoint while pending, absent afterwards: an index over it is as small as the backlog. */
  lane?: string;
  /** When to take it up, while pending: its next attempt, or the end of a lease. */
  due_at?: string;
  /** The fencing token of whoever may send it now. A result counts only under the lease that it was sent with. */
  lease: string | null;
  /** The trace that it goes on with. */
  traceparent?: string;
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
  | 'traceparent'
> & {
  lease: string;
  leasedUntilMs: number;
  /** Of one that is sent before its transaction is over: resolves when it is stored, or never will be. */
  stored?: Promise<void>;
};

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

export const DELIVERIES = 'deliveries';
const DAY_MS = 86_400_000;

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

export function deliveryCollection(database: Database): Collection<Stored<DeliveryRecord>> {
  return database.collection(DELIVERIES);
}

/** When a delivery that is over ages out. */
export function expiryOf(finishedAt: string, retentionDays: number): Date {
  return new Date(Date.parse(finishedAt) + retentionDays * DAY_MS);
}

/** A stored delivery under a lease of ours. */
export function claimOf(delivery: DeliveryRecord, lease: string, leasedUntilMs: number): ClaimedDelivery {
  const { id, workspace_id, webhook_id, event_type, payload, series, attempt, max_attempts, created_at } =
    delivery;
  const { traceparent } = delivery;
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
  return { ...fields, ...(traceparent && { traceparent }), lease, leasedUntilMs };
}
