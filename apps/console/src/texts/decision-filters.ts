import { defineTexts } from './define-texts.ts';
import { number, plural } from './format.ts';

/** The filters of the decisions, their columns, and the actions on the selected ones. */
export const decisionFiltersTexts = defineTexts('decisionFilters', {
  label: 'Filter the decisions',
  addFilter: 'Add filter',
  titleContains: 'Title contains',
  status: 'Status',
  outcome: 'Outcome',
  tag: 'Tag',
  type: 'Type',
  author: 'Author',
  unknownAuthor: (id: string) => `Unknown ${id}`,
  overdue: 'Overdue',
  days: {
    createdFrom: 'Created from',
    createdTo: 'Created before',
    expectedFrom: 'Expected from',
    expectedTo: 'Expected before',
  },
  sortBy: 'Sort by',
  sorts: {
    '-created_at': 'Newest',
    '-updated_at': 'Last changed',
    expected_by: 'Expected by',
    '-quality_score': 'Best quality',
    title: 'Title',
  },
  chips: 'Filters that are set',
  chip: (field: string, value: string) => `${field}: ${value}`,
  removeFilter: (filter: string) => `Remove the filter ${filter}`,
  clearAll: 'Clear all',
  count: (decisions: number) => plural(decisions, { one: '# decision', other: '# decisions' }),

  columns: 'Columns',
  columnsOf: 'Columns of the list',

  bulk: {
    label: 'Selected decisions',
    selected: (count: number) => `${number(count)} selected`,
    setStatus: 'Set status',
    tag: 'Tag',
    exportCsv: 'Export CSV',
    exportName: 'the selected decisions',
    exportMost: (most: number) => `At most ${most} at once`,
    clear: 'Clear the selection',
    progress: (done: number, of: number) => `${done} of ${of} changed`,
    waiting: (done: number, of: number, seconds: number) =>
      `${done} of ${of} changed; the rate limit allows the others in ${seconds} s`,
    notChanged: (left: number, of: number) => `${number(left)} of ${number(of)} decisions were not changed`,
    changed: (count: number) =>
      plural(count, { one: 'One decision is changed.', other: '# decisions are changed.' }),
    restored: (count: number) =>
      plural(count, { one: 'One decision is as before.', other: '# decisions are as before.' }),
    statusTitle: (count: number, status: string) =>
      plural(count, { one: `Set a decision to ${status}`, other: `Set # decisions to ${status}` }),
    sameStatus: (count: number) =>
      plural(count, { one: 'One has this status already.', other: '# have this status already.' }),
    leaveOut: (count: number) =>
      plural(count, {
        one: 'Leave out the one that has an outcome',
        other: 'Leave out the # that have an outcome',
      }),
    deleteTitle: (count: number) => `Delete ${number(count)} decisions`,
    deleteConsequence: 'Their outcomes, approvals, history and discussions go with them.',
    tagTitle: (count: number) => plural(count, { one: 'Tag a decision', other: 'Tag # decisions' }),
    tagHint: 'Other tags stay as they are.',
    addTag: 'Add the tag',
    removeTag: 'Remove the tag',
  },
});
