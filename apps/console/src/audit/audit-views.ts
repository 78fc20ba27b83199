import type { ViewedList } from '../views/views-query.ts';
import { type AuditFilters, auditFiltersOf, localDay, startOfDay } from './audit-filters.ts';

export const auditViews: ViewedList = {
  kind: 'audit_log',
  to: '/w/$workspaceId/audit',
  filtersOf: ({ query }) =>
    auditFiltersOf({
      ...query,
      resourceType: query.resource_type,
      resourceId: query.resource_id,
      from: startOfDay(query.created_from),
      to: startOfDay(query.created_to),
    }),
};

export const viewQueryOf = ({ from, to, ...others }: AuditFilters) => ({
  ...others,
  ...(from && { createdFrom: localDay(from) }),
  ...(to && { createdTo: localDay(to) }),
});
