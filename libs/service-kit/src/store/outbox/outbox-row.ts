import type { EventType } from '@waymark/contracts';
import type { Collection } from 'mongodb';
import type { Invalidations, Tags } from '../../events/invalidations.ts';
import type { Nats } from '../../events/nats.ts';
import type { Logger } from '../../process/logger.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { Database, Indexes } from '../database.ts';

export interface OutboxRow {
  /** The event's id, which sorts by time. */
  _id: string;
  workspace_id: string | null;
  type: EventType;
  /** The envelope as JSON text. The stored bytes are the published bytes. */
  payload: string;
  /** Present until NATS has acknowledged the event. */
  pending?: true;
  /** When it was marked as published, by MongoDB's clock. */
  published_at?: Date;
  /** Whether the event has an action and therefore gets an audit entry. */
  audited: boolean;
  /** Tags to announce again if a crash came between commit and announcement. */
  tags: Tags;
  /** The trace of the event. It is not in the envelope, which is public. */
  traceparent?: string;
}

export interface OutboxOptions {
  database: Database;
  nats: Nats;
  prefix: string;
  streamReplicas: number;
  invalidations: Invalidations;
  metrics: Metrics;
  log: Logger;
  now: () => number;
}

export type OutboxContext = OutboxOptions & { rows: Collection<OutboxRow> };

export const OUTBOX = 'outbox';
export const OUTBOX_META = 'outbox_meta';

export const PENDING_INDEX = { pending: 1, _id: 1 } as const;

export const outboxIndexes: Indexes = {
  [OUTBOX]: [{ key: PENDING_INDEX, partialFilterExpression: { pending: true } }],
  [OUTBOX_META]: [],
};
