import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const auditListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

export const auditRoutes = [auditListRoute];
