import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { auditRoutes } from '../audit/routes.tsx';
import { authRoutes } from '../auth/routes.tsx';
import { decisionRoutes } from '../decisions/routes.tsx';
import { settingsRoutes, userSettingsRoutes } from '../settings/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';
import { Loading } from '../ui/loading.tsx';
import { webhookRoutes } from '../webhooks/routes.tsx';
import { workflowRoutes } from '../workflows/routes.tsx';
import { homeRoute, page, rootRoute, userRoute, workspaceRoute } from '../workspace/routes.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { OpenWorkspace } from './open-workspace.tsx';

const InboxPage = lazyPage(() => import('../inbox/inbox-page.tsx'), 'InboxPage');
const InsightPage = lazyPage(() => import('../insight/insight-page.tsx'), 'InsightPage');
const MyWorkPage = lazyPage(() => import('../my-work/my-work-page.tsx'), 'MyWorkPage');
const TransferPage = lazyPage(() => import('../transfer/transfer-page.tsx'), 'TransferPage');
const TrashPage = lazyPage(() => import('../trash/trash-page.tsx'), 'TrashPage');

userRoute.update({ component: lazyPage(() => import('./shell.tsx'), 'Shell') });
workspaceRoute.update({ component: OpenWorkspace });

const workspaceHomeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/w/$workspaceId/decisions', params, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  ...authRoutes,
  userRoute.addChildren([
    homeRoute,
    ...userSettingsRoutes,
    page(userRoute, '/inbox', InboxPage),
    workspaceRoute.addChildren([
      workspaceHomeRoute,
      page(workspaceRoute, '/my-work', MyWorkPage),
      ...decisionRoutes,
      ...workflowRoutes,
      page(workspaceRoute, '/insight', InsightPage),
      page(workspaceRoute, '/transfer', TransferPage),
      page(workspaceRoute, '/trash', TrashPage),
      ...webhookRoutes,
      ...auditRoutes,
      ...settingsRoutes,
      page(workspaceRoute, '$', NotFoundPage),
    ]),
    page(userRoute, '$', NotFoundPage),
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
