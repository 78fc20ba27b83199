import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';

const webhookListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhook-list-page.tsx'), 'WebhookListPage'),
});

export const webhookRoutes = [webhookListRoute];
