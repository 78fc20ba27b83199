import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { userRoute, workspaceRoute } from '../session/routes.tsx';

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

const newWorkspaceRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/new-workspace',
  component: lazyRouteComponent(() => import('./new-workspace-page.tsx'), 'NewWorkspacePage'),
});

/** Below a workspace. */
export const settingsRoutes = [settingsRoute];
/** Of a person, in no workspace. */
export const userSettingsRoutes = [accountRoute, newWorkspaceRoute];
