import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const insightRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/insight',
  component: lazyPage(() => import('./insight-page.tsx'), 'InsightPage'),
});

export const insightRoutes = [insightRoute];
