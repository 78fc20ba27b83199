import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const myWorkRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/my-work',
  component: lazyPage(() => import('./my-work-page.tsx'), 'MyWorkPage'),
});

export const myWorkRoutes = [myWorkRoute];
