import { defineTexts } from './define-texts.ts';

/** The list of workflows. */
export const workflowsTexts = defineTexts('workflows', {
  title: 'Workflows',
  columns: { title: 'Title', owner: 'Owner', nodes: 'Nodes', changed: 'Changed' },
  find: 'Find a workflow',
  noMatch: 'No workflow has this in its title.',
  acyclic: 'Acyclic',
  add: 'New workflow',
  empty: 'No workflows yet',
  emptyHint:
    'A workflow is a graph of work: tasks, documents, decisions and automations as nodes, connected by edges. Several people can edit it at once.',
  deletion: {
    title: (title: string) => `Delete “${title}”?`,
    consequence:
      'This also deletes its nodes, edges and discussions. All of it can be restored from the trash for 30 days.',
    act: 'Delete workflow',
    done: (title: string) => `Deleted “${title}”.`,
  },
  form: {
    change: 'Change the workflow',
    description: 'Description',
    acyclicHint: 'Refuse edges that close a cycle',
    create: 'Create workflow',
    created: (title: string) => `Created “${title}”.`,
    changed: (title: string) => `Changed “${title}”.`,
  },
});
