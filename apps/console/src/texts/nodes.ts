import { defineTexts } from './define-texts.ts';

/** Types and statuses of nodes, on the canvas and in search results. */
export const nodesTexts = defineTexts('nodes', {
  types: {
    task: 'Task',
    doc: 'Document',
    table: 'Table',
    thread: 'Discussion',
    decision: 'Decision',
    automation: 'Automation',
    pulse: 'Pulse',
  },
  statuses: {
    backlog: 'Backlog',
    todo: 'To do',
    in_progress: 'In progress',
    in_review: 'In review',
    done: 'Done',
    cancelled: 'Cancelled',
  },
});
