import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { forRole } from '../workspace/for-role.tsx';
import { page, workspaceRoute } from '../workspace/routes.tsx';
import { deliveryFiltersOf } from './deliveries/delivery-filters.ts';

const EndpointListPage = lazyPage(() => import('./endpoints/endpoint-list-page.tsx'), 'EndpointListPage');
const EndpointPage = lazyPage(() => import('./endpoints/endpoint-page.tsx'), 'EndpointPage');
const DeliveryPage = lazyPage(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage');

const endpointRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$webhookId',
  validateSearch: deliveryFiltersOf,
  component: forRole('admin', 'endpoint', EndpointPage),
});

export const webhookRoutes = [
  page(workspaceRoute, '/webhooks', forRole('admin', 'webhooks', EndpointListPage)),
  endpointRoute,
  page(
    workspaceRoute,
    '/webhooks/$webhookId/deliveries/$deliveryId',
    forRole('admin', 'delivery', DeliveryPage),
  ),
];
