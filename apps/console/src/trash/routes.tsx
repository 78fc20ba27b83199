import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const trashRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/trash',
  component: lazyPage(() => import('./trash-page.tsx'), 'TrashPage'),
});

export const trashRoutes = [trashRoute];
