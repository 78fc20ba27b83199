import { createRouter } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { auditRoutes } from '../audit/routes.tsx';
import { authRoutes } from '../auth/routes.tsx';
import { decisionRoutes } from '../decisions/routes.tsx';
import { inboxRoutes } from '../inbox/routes.tsx';
import { insightRoutes } from '../insight/routes.tsx';
import { myWorkRoutes } from '../my-work/routes.tsx';
import { settingsRoutes, userSettingsRoutes } from '../settings/routes.tsx';
import { transferRoutes } from '../transfer/routes.tsx';
import { trashRoutes } from '../trash/routes.tsx';
import { lazyPage } from '../ui/lazy-page.ts';
import { Loading } from '../ui/loading.tsx';
import { webhookRoutes } from '../webhooks/routes.tsx';
import { workflowRoutes } from '../workflows/routes.tsx';
import { homeRoute, rootRoute, userRoute, workspaceRoute } from '../workspace/routes.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage, NotFoundPageAlone } from './not-found-page.tsx';
import { OpenWorkspace } from './open-workspace.tsx';

rootRoute.update({ notFoundComponent: NotFoundPageAlone });
userRoute.update({ component: lazyPage(() => import('./shell.tsx'), 'Shell') });
workspaceRoute.update({ component: OpenWorkspace });

const routeTree = rootRoute.addChildren([
  ...authRoutes,
  userRoute.addChildren([
    homeRoute,
    ...userSettingsRoutes,
    ...inboxRoutes,
    workspaceRoute.addChildren([
      ...myWorkRoutes,
      ...decisionRoutes,
      ...workflowRoutes,
      ...insightRoutes,
      ...transferRoutes,
      ...trashRoutes,
      ...webhookRoutes,
      ...auditRoutes,
      ...settingsRoutes,
    ]),
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
