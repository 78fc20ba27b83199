import { defineTexts } from './define-texts.ts';

/** The tasks of the user. */
export const myWorkTexts = defineTexts('myWork', {
  title: 'My work',
  overdue: 'Overdue',
  waiting: 'Waiting for you',
  assigned: 'Assigned to you',
  decision: 'Decision',
  todo: 'What to do',
  todos: { decide: 'Decide', log: 'Log the outcome', review: 'Review', approve: 'Approve or object' },
  due: 'Due',
  node: 'Node',
  status: 'Status',
  changed: 'Changed',
  empty: 'Nothing waits for you',
  emptyHint:
    'Here you find decisions that name you as a decider, approvals that you are asked for, outcomes that are overdue, reviews that are due within two weeks, and nodes of workflows that are assigned to you, until they are done.',
  toDecisions: 'All decisions',
});
