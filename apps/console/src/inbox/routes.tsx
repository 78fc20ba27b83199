import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute } from '../session/routes.tsx';

const inboxRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
});

export const inboxRoutes = [inboxRoute];
