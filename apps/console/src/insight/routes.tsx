import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';

const insightRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insight',
  component: lazyPage(() => import('./insight-page.tsx'), 'InsightPage'),
});

export const insightRoutes = [insightRoute];
