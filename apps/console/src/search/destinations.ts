import { englishDestinations, searchTexts as t } from '../texts/search.ts';
import type { OpenWorkspace } from '../workspace/use-workspace.ts';
import { isSimilar } from './similar.ts';

export interface Destination {
  id: keyof typeof englishDestinations;
  kind: 'action' | 'page';
  /** Below the workspace, or an absolute path; null opens the list of keyboard shortcuts. */
  path: string | null;
  role: Parameters<OpenWorkspace['may']>[0];
}

type Entry = (id: Destination['id'], path: Destination['path'], role: Destination['role']) => Destination;
const action: Entry = (id, path, role) => ({ id, kind: 'action', path, role });
const page: Entry = (id, path, role) => ({ id, kind: 'page', path, role });

/** The actions and pages that can be opened from anywhere. */
const DESTINATIONS: Destination[] = [
  action('newDecision', 'decisions/new', 'member'),
  action('newWorkflow', 'workflows#new', 'member'),
  action('invite', 'settings/members#new', 'admin'),
  action('newKey', 'settings/api-keys#new', 'admin'),
  action('rotateKey', 'settings/api-keys', 'admin'),
  action('newWebhook', 'webhooks#new', 'admin'),
  action('transfer', 'transfer', 'viewer'),
  action('newWorkspace', '/new-workspace', 'viewer'),
  action('shortcuts', null, 'viewer'),
  page('my-work', 'my-work', 'viewer'),
  page('decisions', 'decisions', 'viewer'),
  page('overdue', 'decisions?overdue=true', 'viewer'),
  page('workflows', 'workflows', 'viewer'),
  page('insight', 'insight', 'viewer'),
  page('webhooks', 'webhooks', 'admin'),
  page('audit', 'audit', 'viewer'),
  page('trash', 'trash', 'viewer'),
  page('settings', 'settings', 'viewer'),
  page('members', 'settings/members', 'viewer'),
  page('keys', 'settings/api-keys', 'admin'),
  page('limits', 'settings/limits', 'admin'),
  page('account', '/account', 'viewer'),
];

export const titleOf = (id: Destination['id']): string => t.destinations[id][0]!;

/** The destinations that the user may use and that match the typed text; all of them without a text. */
export function destinationsFor(typed: string, may: OpenWorkspace['may']): Destination[] {
  const allowed = DESTINATIONS.filter(({ role }) => may(role));
  if (typed === '') return allowed;
  return allowed.filter(({ id }) => {
    const words = [...t.destinations[id], ...englishDestinations[id]];
    return isSimilar(typed, words.join(' '));
  });
}
