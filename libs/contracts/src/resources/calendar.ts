import { z } from 'zod';
import { body, time, uuid } from '../schema/types.ts';

export const CalendarFeedCreate = body({
  workspaceId: uuid().optional().describe('Here or in the query'),
}).meta({ id: 'CalendarFeedCreate' });

export const CalendarFeed = z
  .object({ id: uuid(), workspace_id: uuid(), user_id: uuid(), created_at: time() })
  .meta({ id: 'CalendarFeed' });
export type CalendarFeed = z.output<typeof CalendarFeed>;

export const CalendarFeedWithUrl = CalendarFeed.extend({
  url: z.string().optional().describe('What a calendar program subscribes to, in the first answer only'),
}).meta({ id: 'CalendarFeedWithUrl' });
export type CalendarFeedWithUrl = z.output<typeof CalendarFeedWithUrl>;
