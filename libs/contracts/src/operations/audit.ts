import { z } from 'zod';
import { EventLogPage, EventOffset, eventOffsetName } from '../events/logged-event.ts';
import { limits } from '../limits.ts';
import {
  AuditEntry,
  AuditFacets,
  AuditVerification,
  auditActions,
  resourceTypes,
} from '../resources/audit.ts';
import { body } from '../schema/body.ts';
import { count, moment, page, pageQuery, queryInteger, workspaceInBody } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { EXPORT, inQuery, inQueryOrBody, READ, WRITE } from './presets.ts';

const position = () => queryInteger(0, Number.MAX_SAFE_INTEGER);

const filters = {
  action: z.enum(auditActions).optional().describe('What was done'),
  resource_type: z.enum(resourceTypes).optional().describe('What kind of record it was done to'),
  resource_id: z.string().max(100).optional().describe('Id of the record'),
  actor: z.string().max(100).optional().describe('Id of a key, a service account or a user'),
  ip: z
    .string()
    .max(100)
    .optional()
    .describe('Address of the client, exactly as an entry shows it; only for admins and owners'),
  from: moment('start').optional().describe('Created at or after'),
  to: moment('start').optional().describe('Created before'),
};

export const auditOperations = operationTable('audit', {
  listAuditLog: {
    route: 'GET /audit-log',
    summary: 'Audit entries, newest first',
    ...inQuery(READ, { ...filters, ...pageQuery }, { created_from: 'from', created_to: 'to' }),
    feature: 'audit_log',
    response: { status: 200, schema: page(AuditEntry) },
  },
  getAuditFacets: {
    route: 'GET /audit-log/facets',
    summary: `The actions, kinds of records and actors of the newest ${limits.auditFacetEntries} entries, with counts, and how long entries are kept`,
    ...inQuery(READ),
    feature: 'audit_log',
    response: { status: 200, schema: AuditFacets },
  },
  exportAuditLog: {
    route: 'GET /audit-log/export',
    summary:
      'The whole chain, oldest first, as NDJSON; the first line is its checkpoint, if any, the last its signed head',
    ...inQuery(EXPORT),
    feature: 'audit_log',
    response: { status: 200, contentType: 'application/x-ndjson' },
    audit: 'audit_log.export',
  },
  verifyAuditLog: {
    route: 'GET /audit-log/verify',
    summary: 'Recompute the chain and check its signed head',
    description:
      'The head is also compared with its copy outside the database. While that store (NATS) is away, the answer is SERVICE_UNAVAILABLE.',
    ...inQuery(EXPORT),
    feature: 'audit_log',
    response: { status: 200, schema: AuditVerification },
    takesLong: true,
  },

  // None of these is audited: a stored offset is no change of the workspace, and would itself be an event.
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
      number: count().describe('The last event that the program has handled; 0 for none'),
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
