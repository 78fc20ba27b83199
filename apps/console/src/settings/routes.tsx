import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../ui/lazy-page.ts';
import { forRole } from '../workspace/for-role.tsx';
import { page, userRoute, workspaceRoute } from '../workspace/routes.tsx';
import { grantRequestOf } from './authorize/grant-request.ts';
import { cliRequestOf } from './cli-login/cli-request.ts';

const SettingsLayout = lazyPage(() => import('./settings-layout.tsx'), 'SettingsLayout');
const GeneralPage = lazyPage(() => import('./workspace/general-page.tsx'), 'GeneralPage');
const PeoplePage = lazyPage(() => import('./members/people-page.tsx'), 'PeoplePage');
const MembersPage = lazyPage(() => import('./members/members-page.tsx'), 'MembersPage');
const ApiKeysPage = lazyPage(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage');
const LimitsPage = lazyPage(() => import('./limits-page.tsx'), 'LimitsPage');
const AccountPage = lazyPage(() => import('./account/account-page.tsx'), 'AccountPage');
const DevicePage = lazyPage(() => import('./cli-login/device-page.tsx'), 'DevicePage');
const NewWorkspacePage = lazyPage(() => import('./workspace/new-workspace-page.tsx'), 'NewWorkspacePage');

const settingsRoute = page(workspaceRoute, '/settings', SettingsLayout);

const cliLoginRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/cli-login',
  validateSearch: cliRequestOf,
  component: lazyPage(() => import('./cli-login/cli-login-page.tsx'), 'CliLoginPage'),
});

const authorizeRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/authorize',
  validateSearch: grantRequestOf,
  component: lazyPage(() => import('./authorize/authorize-page.tsx'), 'AuthorizePage'),
});

/** Pages of a workspace. */
export const settingsRoutes = [
  settingsRoute.addChildren([
    page(settingsRoute, '/', GeneralPage),
    page(settingsRoute, '/members', forRole('admin', PeoplePage, MembersPage)),
    page(settingsRoute, '/api-keys', forRole('admin', 'apiKeys', ApiKeysPage)),
    page(settingsRoute, '/limits', forRole('admin', 'limits', LimitsPage)),
  ]),
];
/** Pages of the user, outside a workspace. */
export const userSettingsRoutes = [
  page(userRoute, '/account', AccountPage),
  page(userRoute, '/new-workspace', NewWorkspacePage),
  cliLoginRoute,
  page(userRoute, '/device', DevicePage),
  authorizeRoute,
];
