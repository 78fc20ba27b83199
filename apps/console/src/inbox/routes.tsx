import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { userRoute } from '../workspace/routes.tsx';

const inboxRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/inbox',
  component: lazyPage(() => import('./inbox-page.tsx'), 'InboxPage'),
});

export const inboxRoutes = [inboxRoute];
