import { defineTexts } from './define-texts.ts';
import { plural } from './format.ts';

/** The frame around the pages: header, navigation, menus. */
export const appTexts = defineTexts('app', {
  skip: 'Skip to content',
  offline: 'No connection. What you write is kept in this browser; pages load when the connection is back.',
  limited: (seconds: number) => `Waiting ${seconds} s for your limit; then the page loads by itself.`,
  workspace: 'Workspace',
  workspaces: 'Workspaces',
  newWorkspace: 'New workspace',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  lightColors: 'Use light colors',
  darkColors: 'Use dark colors',

  pages: {
    'my-work': 'My work',
    decisions: 'Decisions',
    workflows: 'Workflows',
    insight: 'Insight',
    transfer: 'Export and import',
    webhooks: 'Webhooks',
    audit: 'Audit log',
    trash: 'Trash',
    settings: 'Settings',
  },
  user: {
    menu: (name: string) => `Account of ${name}`,
    account: 'Account and sessions',
    compactRows: 'Compact rows',
    signOut: 'Sign out',
    discard: (drafts: number) =>
      plural(drafts, { one: 'Discard your draft?', other: 'Discard your # drafts?' }),
    discardHint: 'This browser keeps what you have typed and not saved. Signing out deletes it.',
    discardAct: 'Discard and sign out',
  },
  notFound: {
    title: 'Page not found',
    nothing: 'There is nothing at this address',
    hint: 'It may have been deleted, or it belongs to a workspace of which you are not a member.',
    home: 'Go to your workspace',
  },
});
