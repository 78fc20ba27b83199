import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';
import { auditFiltersOf } from './audit-filters.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: auditFiltersOf,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, params, deps, cause }) => {
    if (cause !== 'enter' || Object.keys(deps).length > 0) return;
    // Few begin here: the first page of all loads without it.
    const { firstAuditFilters } = await import('./audit-views.ts');
    const search = await firstAuditFilters(queryClient, params.workspaceId);
    if (search) throw redirect({ to: '/w/$workspaceId/audit', params, search, replace: true });
  },
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditLogRoute];
