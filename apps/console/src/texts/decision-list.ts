import { defineTexts } from './define-texts.ts';
import { number, plural } from './format.ts';

/** The rows of decisions; they are part of the first load of each page. */
export const decisionListTexts = defineTexts('decisionList', {
  title: 'Decisions',
  newDecision: 'New decision',
  noMatch: 'No decisions match the filters.',
  empty: 'No decisions yet',
  emptyHint:
    'Write down what you decide, what else you considered and why, and how sure you are. Log the outcome later, so that your team learns to decide better.',
  decision: 'Decision',
  columns: {
    status: 'Status',
    outcome: 'Outcome',
    quality: 'Quality',
    expected: 'Expected by',
    author: 'Author',
    created: 'Created',
    changed: 'Changed',
  },
  overdue: 'overdue',
  select: (title: string) => `Select ${title}`,
  selectAll: 'Select all that are shown',
  selectMatching: (count: number, total: number) =>
    count === total
      ? `Select all ${number(total)} that match`
      : `Select the first ${number(count)} of ${number(total)}`,
  notDeleted: (left: number, of: number) => `${number(left)} of ${number(of)} decisions were not deleted`,
  notRestored: (left: number, of: number) => `${number(left)} of ${number(of)} decisions were not restored`,
  deleted: (count: number) =>
    plural(count, { one: 'One decision is deleted.', other: '# decisions are deleted.' }),
});
