import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const decisionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/decisions',
  component: lazyRouteComponent(() => import('./decision-list-page.tsx'), 'DecisionListPage'),
});

export const decisionRoutes = [decisionListRoute];
