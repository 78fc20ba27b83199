import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';

const transferRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/transfer',
  component: lazyPage(() => import('./transfer-page.tsx'), 'TransferPage'),
});

export const transferRoutes = [transferRoute];
