import { defineTexts } from './define-texts.ts';
import { number, plural } from './format.ts';

/** The destinations of the search: the title, and other words for it. Both are found in every language. */
export const englishDestinations = {
  newDecision: ['New decision', 'log write create add'],
  newWorkflow: ['New workflow', 'create add graph'],
  invite: ['Invite somebody', 'add member user person invitation'],
  newKey: ['Create an API key', 'new add token'],
  rotateKey: ['Rotate an API key', 'replace renew token'],
  newWebhook: ['Add a webhook endpoint', 'new create'],
  transfer: ['Export or import', 'download upload csv json madr backup'],
  newWorkspace: ['New workspace', 'create add'],
  shortcuts: ['Keyboard shortcuts', 'keys help'],
  'my-work': ['My work', 'assigned waiting mine todo approvals'],
  decisions: ['Decisions', ''],
  overdue: ['Overdue decisions', 'late due'],
  workflows: ['Workflows', 'graphs canvas'],
  insight: ['Insight', 'metrics calibration wms forecasts'],
  webhooks: ['Webhooks', 'endpoints deliveries'],
  audit: ['Audit log', 'history changes who'],
  trash: ['Trash', 'deleted restore undelete recover'],
  settings: ['Settings', 'workspace name plan delete leave'],
  members: ['Members', 'people roles invitations users'],
  keys: ['API keys', 'tokens scopes'],
  limits: ['Rate limits', 'usage quota'],
  account: ['Your account', 'password sessions profile'],
};

/** The search and the list of keyboard shortcuts. */
export const searchTexts = defineTexts('search', {
  destinations: englishDestinations,
  groups: {
    recent: 'Recently opened',
    here: 'On this page',
    actions: 'Actions',
    pages: 'Pages',
    people: 'People',
    decisions: 'Decisions',
    workflows: 'Workflows',
    nodes: 'Nodes',
    similar: 'Similar titles',
  },
  kinds: { action: 'action', page: 'page', decision: 'decision', workflow: 'workflow' },
  decisionsBy: (name: string) => `Decisions by ${name}`,

  label: 'Search or run a command',
  placeholder: 'A page, an action, a person, or a word of a decision …',
  results: 'Found',
  newest: (group: string, shown: number, total: { count: number; isAtLeast: boolean } | null | undefined) => {
    const of = total ? ` of ${total.isAtLeast ? 'more than ' : ''}${number(total.count)}` : '';
    return `${group}, the newest ${number(shown)}${of}`;
  },
  showMore: (group: string) => `Show more ${group.toLowerCase()}`,
  keysHint: '↑ ↓ choose · Enter opens · Esc closes',
  hint: 'Searches titles, descriptions, rationales, tags and messages.',
  searching: 'Searching …',
  none: (typed: string) => `No results for “${typed}”. Parts of words match; check the spelling.`,
  found: (count: number) => plural(count, { one: 'One found', other: '# found' }),
  foundMore: (count: number) => `More than ${number(count)} found`,

  shortcuts: {
    open: 'Search, open a page or start an action',
    edit: 'Edit the section of a decision that has the focus',
    log: 'Log the outcome of the open decision',
    review: 'Review the open decision',
    submit: 'Submit the form, or post the message',
    nextRow: 'The next row of a list; Enter opens it',
    rowBefore: 'The row before',
    selectRow: 'Select the row, or take it out',
    list: 'This list',
    canvas: 'On the canvas of a workflow',
    rename: 'Rename the node, as a double click does',
    openNode: 'Open the node or the edge',
    connect: 'Connect the node to another one',
    lasso: 'Select nodes with a rectangle',
    pick: 'Add a node to the selection, or take it out',
    all: 'Select all nodes',
    copy: 'Copy the selected nodes',
    paste: 'Paste nodes, also from another workflow',
    duplicate: 'Duplicate the selected nodes',
    delete: 'Delete the selection',
    undo: 'Undo',
    redo: 'Redo',
    single: 'Single keys work as shortcuts',
    singleHint: 'Ctrl K always works.',
  },
  keyNames: { shift: 'Shift', delete: 'Delete', click: 'click', drag: 'drag' },
});
