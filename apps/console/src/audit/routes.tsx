import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';
import { auditFiltersOf } from './audit-filters.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: auditFiltersOf,
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditLogRoute];
