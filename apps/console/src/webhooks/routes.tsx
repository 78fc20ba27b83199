import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { forRole } from '../workspace/for-role.tsx';
import { workspaceRoute } from '../workspace/routes.tsx';
import { deliveryFiltersOf } from './deliveries/delivery-filters.ts';

const endpointListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  component: forRole(
    'admin',
    'webhooks',
    lazyPage(() => import('./endpoints/endpoint-list-page.tsx'), 'EndpointListPage'),
  ),
});

const endpointRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhookId',
  validateSearch: deliveryFiltersOf,
  component: forRole(
    'admin',
    'endpoint',
    lazyPage(() => import('./endpoints/endpoint-page.tsx'), 'EndpointPage'),
  ),
});

const deliveryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  component: forRole(
    'admin',
    'delivery',
    lazyPage(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
  ),
});

export const webhookRoutes = [endpointListRoute, endpointRoute, deliveryRoute];
