import { createRoute } from '@tanstack/react-router';
import { userRoute } from '../session/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';

const inboxRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/inbox',
  component: lazyPage(() => import('./inbox-page.tsx'), 'InboxPage'),
});

export const inboxRoutes = [inboxRoute];
