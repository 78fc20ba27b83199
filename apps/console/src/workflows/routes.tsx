import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const workflowListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows',
  component: lazyPage(() => import('./workflow-list-page.tsx'), 'WorkflowListPage'),
});

const workflowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workflows/$workflowId',
  validateSearch: (search): { node?: string } =>
    typeof search['node'] === 'string' ? { node: search['node'] } : {},
  component: lazyPage(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});

export const workflowRoutes = [workflowListRoute, workflowRoute];
