import type { OpenWorkspace } from '../session/use-workspace.ts';
import { isSimilar } from './similar.ts';

export interface Destination {
  id: string;
  title: string;
  about: string;
  /** Below the workspace, or an absolute path; null opens the list of keyboard shortcuts. */
  path: string | null;
  role: Parameters<OpenWorkspace['may']>[0];
  /** Other words that people look for it by. */
  words: string;
}

const action = (title: string, path: string | null, role: Destination['role'], words = ''): Destination => ({
  ...{ id: `action ${title}`, title, about: 'action', path, role, words },
});
const page = (title: string, path: string, role: Destination['role'], words = ''): Destination => ({
  ...{ id: `page ${title}`, title, about: 'page', path, role, words },
});

/** What can be done and opened from anywhere. */
const DESTINATIONS: Destination[] = [
  action('New decision', 'decisions/new', 'member', 'log write create add'),
  action('New workflow', 'workflows#new', 'member', 'create add graph'),
  action('Invite somebody', 'settings/members#new', 'admin', 'add member user person invitation'),
  action('Create an API key', 'settings/api-keys#new', 'admin', 'new add token'),
  action('Rotate an API key', 'settings/api-keys', 'admin', 'replace renew token'),
  action('Add a webhook endpoint', 'webhooks#new', 'admin', 'new create'),
  action('Export or import', 'transfer', 'viewer', 'download upload csv json madr backup'),
  action('New workspace', '/new-workspace', 'viewer', 'create add'),
  action('Keyboard shortcuts', null, 'viewer', 'keys help'),
  page('Decisions', 'decisions', 'viewer'),
  page('Overdue decisions', 'decisions?overdue=true', 'viewer', 'late due'),
  page('Workflows', 'workflows', 'viewer', 'graphs canvas'),
  page('Insight', 'insight', 'viewer', 'metrics calibration wms forecasts'),
  page('Webhooks', 'webhooks', 'admin', 'endpoints deliveries'),
  page('Audit log', 'audit', 'viewer', 'history changes who'),
  page('Settings', 'settings', 'viewer', 'workspace name plan delete leave'),
  page('Members', 'settings/members', 'admin', 'people roles invitations users'),
  page('API keys', 'settings/api-keys', 'admin', 'tokens scopes'),
  page('Rate limits', 'settings/limits', 'admin', 'usage quota'),
  page('Your account', '/account', 'viewer', 'password sessions profile'),
];

/** The destinations that the user may use and that match what was typed; all of them when nothing was. */
export function destinationsFor(typed: string, may: OpenWorkspace['may']): Destination[] {
  const allowed = DESTINATIONS.filter(({ role }) => may(role));
  if (typed === '') return allowed;
  return allowed.filter(
    ({ title, words }) => isSimilar(typed, title) || isSimilar(typed, `${title} ${words}`),
  );
}
