export interface AuditFilters {
  action?: string;
  resourceType?: string;
  actor?: string;
  from?: string;
  to?: string;
}

const NAMES = ['action', 'resourceType', 'actor', 'from', 'to'] as const;

/** The filters of the audit log as URL parameters. */
export function auditFiltersOf(search: Record<string, unknown>): AuditFilters {
  const filters: AuditFilters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  return filters;
}
