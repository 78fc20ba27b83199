import { defineTexts } from './define-texts.ts';
import { plural } from './format.ts';

/** Deleted records that can be restored. */
export const trashTexts = defineTexts('trash', {
  title: 'Trash',
  explanation:
    'Deleted records stay here for 30 days. A record comes back with everything that was deleted with it: a decision with its outcomes and discussion, a workflow with its nodes and edges.',
  kinds: { decision: 'Decisions', workflow: 'Workflows', node: 'Nodes', message: 'Messages' },
  record: 'Title',
  deletedBy: 'Deleted by',
  deletedAt: 'Deleted',
  left: 'Time left',
  act: 'Restore it',
  restore: 'Restore',
  restoreOf: (title: string) => `Restore ${title}`,
  restored: (title: string) => `“${title}” is restored`,
  days: (count: number) => plural(count, { one: '# day', other: '# days' }),
  held: 'Held by the operator',
  empty: {
    decision: 'No deleted decisions',
    workflow: 'No deleted workflows',
    node: 'No deleted nodes',
    message: 'No deleted messages',
  },
  emptyHint: 'Deleted records stay here for 30 days. Then they are gone for good.',
});
