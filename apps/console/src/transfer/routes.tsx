import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const transferRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/transfer',
  component: lazyPage(() => import('./transfer-page.tsx'), 'TransferPage'),
});

export const transferRoutes = [transferRoute];
