import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { firstFilters } from '../views/first-filters.ts';
import { workspaceRoute } from '../workspace/routes.tsx';
import { auditFiltersOf } from './audit-filters.ts';
import { auditViews } from './audit-views.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: auditFiltersOf,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, params, deps, cause }) => {
    if (cause !== 'enter' || Object.keys(deps).length > 0) return;
    const search = await firstFilters(queryClient, params.workspaceId, auditViews);
    if (search) throw redirect({ to: auditViews.to, params, search, replace: true });
  },
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditLogRoute];
