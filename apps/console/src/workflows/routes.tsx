import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const workflowListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./workflow-list-page.tsx'), 'WorkflowListPage'),
});

const workflowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows/$workflowId',
  validateSearch: (search): { node?: string } =>
    typeof search['node'] === 'string' ? { node: search['node'] } : {},
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});

export const workflowRoutes = [workflowListRoute, workflowRoute];
