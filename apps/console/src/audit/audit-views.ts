import type { QueryClient } from '@tanstack/react-query';
import { firstFilters } from '../views/first-filters.ts';
import type { ViewedList } from '../views/views-query.ts';
import { type AuditFilters, auditFiltersOf } from './audit-filters.ts';
import { localDay, startOfDay } from './local-day.ts';

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

export const firstAuditFilters = (queryClient: QueryClient, workspaceId: string) =>
  firstFilters(queryClient, workspaceId, auditViews);
