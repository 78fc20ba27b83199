import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../session/routes.tsx';
import { deliveryFiltersOf } from './delivery-filters.ts';

const endpointListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./endpoint-list-page.tsx'), 'EndpointListPage'),
});

const endpointRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhookId',
  validateSearch: deliveryFiltersOf,
  component: lazyRouteComponent(() => import('./endpoint-page.tsx'), 'EndpointPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
});

export const webhookRoutes = [endpointListRoute, endpointRoute, deliveryRoute];
