import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';

const trashRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/trash',
  component: lazyPage(() => import('./trash-page.tsx'), 'TrashPage'),
});

export const trashRoutes = [trashRoute];
