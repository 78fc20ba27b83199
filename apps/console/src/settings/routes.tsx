import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { forRole } from '../workspace/for-role.tsx';
import { userRoute, workspaceRoute } from '../workspace/routes.tsx';
import { grantRequestOf } from './authorize/grant-request.ts';
import { cliRequestOf } from './cli-login/cli-request.ts';

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-layout.tsx'), 'SettingsLayout'),
});

const generalRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyPage(() => import('./workspace/general-page.tsx'), 'GeneralPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: forRole(
    'admin',
    lazyPage(() => import('./members/people-page.tsx'), 'PeoplePage'),
    lazyPage(() => import('./members/members-page.tsx'), 'MembersPage'),
  ),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  component: forRole(
    'admin',
    'apiKeys',
    lazyPage(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  ),
});

const limitsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/limits',
  component: forRole(
    'admin',
    'limits',
    lazyPage(() => import('./limits-page.tsx'), 'LimitsPage'),
  ),
});

const accountRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/account',
  component: lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
});

const newWorkspaceRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/new-workspace',
  component: lazyPage(() => import('./workspace/new-workspace-page.tsx'), 'NewWorkspacePage'),
});

const cliLoginRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/cli-login',
  validateSearch: cliRequestOf,
  component: lazyPage(() => import('./cli-login/cli-login-page.tsx'), 'CliLoginPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/device',
  component: lazyPage(() => import('./cli-login/device-page.tsx'), 'DevicePage'),
});

const authorizeRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/authorize',
  validateSearch: grantRequestOf,
  component: lazyPage(() => import('./authorize/authorize-page.tsx'), 'AuthorizePage'),
});

/** Pages of a workspace. */
export const settingsRoutes = [
  settingsRoute.addChildren([generalRoute, membersRoute, apiKeysRoute, limitsRoute]),
];
/** Pages of the user, outside a workspace. */
export const userSettingsRoutes = [
  accountRoute,
  newWorkspaceRoute,
  cliLoginRoute,
  deviceRoute,
  authorizeRoute,
];
