import { z } from 'zod';
import { body } from '../schema/body.ts';
import { component, time, uuid, workspaceInBody } from '../schema/types.ts';

export const CalendarFeedCreate = body(workspaceInBody).meta({ id: 'CalendarFeedCreate' });

export const CalendarFeed = component('CalendarFeed', 'A calendar feed, without its address', {
  id: uuid(),
  workspace_id: uuid(),
  user_id: uuid(),
  created_at: time(),
});
export type CalendarFeed = z.output<typeof CalendarFeed>;

export const CalendarFeedState = component('CalendarFeedState', {
  feed: CalendarFeed.nullable().describe('Null if there is none, or if it no longer works'),
});
export type CalendarFeedState = z.output<typeof CalendarFeedState>;

export const CalendarFeedWithUrl = CalendarFeed.extend({
  url: z
    .string()
    .optional()
    .describe('The address to subscribe to in a calendar program, in the first answer only'),
}).meta({
  id: 'CalendarFeedWithUrl',
  description: 'A calendar feed with its address, which only this answer has',
});
export type CalendarFeedWithUrl = z.output<typeof CalendarFeedWithUrl>;
