import { z } from 'zod';
import { component, integer, queryList, time, uuid } from '../schema/types.ts';
import { type EventEnvelope, type EventType, events, eventTypes } from './events.ts';

/** A change in the live stream: what to read again, without data that needs further rights. */
export const LiveEvent = component('LiveEvent', 'A change in the live stream: what to read again', {
  id: uuid(),
  type: z.enum(eventTypes),
  time: time(),
  workspace_id: uuid(),
  subject: z.object({ type: z.string(), id: z.string(), version: integer() }),
  actor: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  changed: z.array(z.string()).describe('The names of the fields that changed'),
  workflow_id: uuid().nullable().describe('The workflow that a node, an edge or a graph belongs to'),
  node_id: uuid().nullable().describe('The node that a message was posted on'),
  decision_id: uuid().nullable().describe('The decision that a message was posted on'),
  request_id: z
    .string()
    .nullable()
    .describe('The request that made the change, so that a client recognizes its own'),
});
export type LiveEvent = z.output<typeof LiveEvent>;

export const liveEventTypes = () =>
  queryList(z.enum(eventTypes), eventTypes.length).describe('Only these event types');

/** Whether everyone who can read the workspace gets the event; others go to admins and owners only. */
export const isForReaders = (type: EventType): boolean => events[type].readers;

/** Returns null for an event that belongs to no workspace. */
export function liveEvent(event: EventEnvelope): LiveEvent | null {
  const { id, type, time, workspace_id, subject, actor, changes, request_id } = event;
  if (workspace_id === null) return null;
  return {
    id,
    type,
    time,
    workspace_id,
    subject: { type: subject.type, id: subject.id, version: subject.version },
    actor: { type: actor.type, id: actor.id, name: actor.name },
    changed: Object.keys(changes ?? {}),
    workflow_id: idIn(event.data, 'workflow_id') ?? (subject.type === 'workflow' ? subject.id : null),
    node_id: idIn(event.data, 'node_id'),
    decision_id: idIn(event.data, 'decision_id'),
    request_id,
  };
}

function idIn(data: unknown, field: string): string | null {
  const value = (data as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : null;
}
