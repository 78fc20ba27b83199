import { z } from 'zod';
import { limits } from '../limits.ts';
import { Author } from '../resources/audit.ts';
import { example } from '../schema/fields.ts';
import { component, count, integer, time, uuid } from '../schema/types.ts';
import { eventTypes } from './events.ts';

export const LoggedEvent = component('LoggedEvent', 'An event with its number in the log of the workspace', {
  number: integer().min(1).describe('The position in the log of the workspace: 1, 2, 3 … without a gap'),
  id: uuid().describe('The id of the event, as in webhook deliveries and in the audit log'),
  type: z.enum(eventTypes),
  created_at: time(),
  workspace_id: uuid(),
  actor: Author,
  subject: z
    .object({ type: z.string(), id: z.string(), version: integer() })
    .describe('The record; events about one may arrive out of order, and the highest version is the newest'),
  request_id: z.string().nullable().describe('The request that made the change'),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'As in a webhook delivery; null in events about settings for callers who may not read these, and after a person in it was erased',
    ),
});
export type LoggedEvent = z.output<typeof LoggedEvent>;

export const EventLogPage = component('EventLogPage', {
  data: z.array(LoggedEvent),
  next_after: count().describe(
    'Send as after for the next page: the number of the last event, or after itself',
  ),
  newest: count().describe('The number of the newest event of the workspace; 0 before the first'),
});

export const eventOffsetName = () =>
  example(
    z
      .string()
      .regex(new RegExp(`^[\\w.-]{1,${limits.eventOffsetNameCharacters}}$`), {
        error: `must be 1 to ${limits.eventOffsetNameCharacters} letters, digits, dots, hyphens and underscores`,
      })
      .describe('The name of the program that reads the log'),
    'warehouse-sync',
  );

export const EventOffset = component('EventOffset', 'How far a program has read the event log', {
  name: eventOffsetName(),
  number: count().describe('The last event that the program has handled'),
  updated_at: time(),
});
export type EventOffset = z.output<typeof EventOffset>;
