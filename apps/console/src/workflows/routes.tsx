import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const workflowListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./workflow-list-page.tsx'), 'WorkflowListPage'),
});

export const workflowRoutes = [workflowListRoute];
