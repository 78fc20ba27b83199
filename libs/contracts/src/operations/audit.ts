import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  AuditEntry,
  AuditFacets,
  AuditVerification,
  auditActions,
  resourceTypes,
} from '../resources/audit.ts';
import { moment, page, pageQuery } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { EXPORT, inQuery, READ } from './presets.ts';

const filters = {
  action: z.enum(auditActions).optional(),
  resource_type: z.enum(resourceTypes).optional(),
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
});
