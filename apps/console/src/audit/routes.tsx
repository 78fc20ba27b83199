import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { auditFiltersOf } from './audit-filters.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: auditFiltersOf,
  component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditLogRoute];
