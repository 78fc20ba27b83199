import type { JsMsg } from '@nats-io/jetstream';
import {
  auditActions,
  type EventEnvelope,
  eventStream,
  publisherOf,
  workspacesOfData,
} from '@waymark/contracts';

/** More than the clocks of two services differ, because services follow MongoDB's clock. */
const AHEAD_MAX_MS = 24 * 3_600_000;
const NANOS_PER_MS = 1_000_000;

interface Received {
  message: Pick<JsMsg, 'subject' | 'info'>;
  prefix: string;
  now: number;
}

/**
 * Returns why no service can have published this event, or null. A writer of NATS could otherwise bring
 * records of one workspace into another, an event that no retention reaches, or an audit entry for an
 * action of another service.
 */
export function contradictionIn(event: EventEnvelope, { message, prefix, now }: Received): string | null {
  if (message.subject !== eventStream(prefix).subject(event.type))
    return `its type is ${event.type}, its subject ${message.subject}`;
  // A newer version may know further actions.
  const action = auditActions.find((known) => known === event.action);
  if (action && publisherOf(action) !== publisherOf(event.type))
    return `its action is ${event.action}, its type ${event.type}`;
  // The user who deletes a workspace is told in their own chain, whose events have no workspace.
  const isOfUser = event.type === 'workspace.deleted' && event.workspace_id === null;
  if (!isOfUser && workspacesOfData(event).some((id) => id !== event.workspace_id))
    return 'its data belongs to another workspace';
  const latestMs = Math.max(now, message.info.timestampNanos / NANOS_PER_MS) + AHEAD_MAX_MS;
  return Date.parse(event.time) > latestMs ? `its time is ${event.time}` : null;
}
