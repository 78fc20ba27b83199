import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';
import { auditFiltersOf } from './audit-filters.ts';

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: auditFiltersOf,
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditLogRoute];
