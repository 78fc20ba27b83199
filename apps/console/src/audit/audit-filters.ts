import type { operations } from '@waymark/client/api';

const NAMES = ['action', 'resourceType', 'resourceId', 'actor', 'ip', 'from', 'to'] as const;

type Query = NonNullable<operations['listAuditLog']['parameters']['query']>;
export type AuditFilters = Pick<Query, (typeof NAMES)[number]>;

/** The filters of the audit log as URL parameters. */
export function auditFiltersOf(search: Record<string, unknown>): AuditFilters {
  // The API refuses values that it does not know.
  const filters: { [name: string]: string } = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  return filters;
}
