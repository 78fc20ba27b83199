import type { EventType } from '@waymark/contracts';
import type { Tags } from '../../events/invalidations.ts';
import type { Indexes } from '../database.ts';

export interface OutboxRow {
  /** The event's id, which sorts by time. */
  _id: string;
  workspace_id: string | null;
  type: EventType;
  /** The envelope as JSON text: what is stored is what is published, to the byte. */
  payload: string;
  /** Present until NATS has acknowledged the event. */
  pending?: true;
  /** Whether the event has an action, and so an audit entry to come. */
  audited: boolean;
  /** Announced again when a crash came between commit and announcement. */
  tags: Tags;
  /** The trace that the event is part of; beside the envelope, which is public. */
  traceparent?: string;
}

export const OUTBOX = 'outbox';
export const OUTBOX_META = 'outbox_meta';

export const outboxIndexes: Indexes = {
  [OUTBOX]: [{ key: { pending: 1, _id: 1 }, partialFilterExpression: { pending: true } }],
  [OUTBOX_META]: [],
};
