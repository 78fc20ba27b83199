import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { workspaceRoute } from '../workspace/routes.tsx';

const myWorkRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/my-work',
  component: lazyPage(() => import('./my-work-page.tsx'), 'MyWorkPage'),
});

export const myWorkRoutes = [myWorkRoute];
