import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const insightRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insight',
  component: lazyRouteComponent(() => import('./insight-page.tsx'), 'InsightPage'),
});

export const insightRoutes = [insightRoute];
