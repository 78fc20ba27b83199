import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const transferRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/transfer',
  component: lazyRouteComponent(() => import('./transfer-page.tsx'), 'TransferPage'),
});

export const transferRoutes = [transferRoute];
