import { z } from 'zod';
import { EventLogPage, EventOffset, eventOffsetName } from '../events/logged-event.ts';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { count, queryInteger, workspaceInBody } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { inQuery, inQueryOrBody, READ, WRITE } from './presets.ts';

const position = () => queryInteger(0, Number.MAX_SAFE_INTEGER);

/** None is audited: a stored offset is no change of the workspace, and would itself be an event. */
export const eventLogOperations = operationTable('audit', {
  listEventLog: {
    route: 'GET /event-log',
    summary: `The events of the last ${limits.eventLogDays} days, oldest first, with consecutive numbers`,
    description:
      'Repeat it with next_after: each event comes once, in the order of the numbers, and none appears later with a lower number. POSITION_GONE says that events after the position are missing.',
    ...inQuery(READ, {
      after: position().optional().describe('Only events with a higher number; by default all that are kept'),
      limit: queryInteger(1, limits.pageSizeMax)
        .optional()
        .describe(`The most events; large ones end a page earlier. ${limits.pageSize} by default`),
      wait: queryInteger(0, limits.eventLogWaitSeconds)
        .optional()
        .describe('If there is no event yet, how many seconds to wait for one'),
    }),
    response: { status: 200, schema: EventLogPage },
    errors: ['POSITION_GONE'],
    takesLong: true,
  },
  listEventOffsets: {
    route: 'GET /event-log/offsets',
    summary: 'How far the programs that read the event log have come, by name',
    ...inQuery(READ),
    response: { status: 200, schema: z.object({ data: z.array(EventOffset) }) },
  },
  putEventOffset: {
    route: 'PUT /event-log/offsets',
    summary: 'Store under a name how far a program has read the event log',
    ...inQueryOrBody(WRITE),
    body: body({
      ...workspaceInBody,
      name: eventOffsetName(),
      number: count().max(Number.MAX_SAFE_INTEGER).describe('0 for none'),
    }),
    response: { status: 200, schema: EventOffset },
    errors: ['LIMIT_EXCEEDED'],
  },
  deleteEventOffset: {
    route: 'DELETE /event-log/offsets',
    summary: 'Delete a stored offset',
    ...inQuery(WRITE, { name: eventOffsetName() }),
    response: { status: 204 },
    errors: ['NOT_FOUND'],
  },
});
