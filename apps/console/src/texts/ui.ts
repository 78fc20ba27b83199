import { defineTexts } from './define-texts.ts';
import { number } from './format.ts';

/** Words that many pages use, and the texts of the shared components. */
export const uiTexts = defineTexts('ui', {
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  edit: 'Edit',
  rename: 'Rename',
  remove: 'Remove',
  add: 'Add',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  undo: 'Undo',
  dismiss: 'Dismiss',
  back: 'Back',
  next: 'Next',
  tryAgain: 'Try again',
  showMore: 'Show more',
  loading: 'Loading',
  goesOn: 'The request continues. If it is refused, a message says so.',
  inputKept: 'The dialog then has your input.',

  /** Headings of columns, and labels. */
  name: 'Name',
  actions: 'Actions',
  more: 'More actions',
  moreOf: (title: string) => `More actions for ${title}`,
  /** Instead of a value. */
  all: 'All',
  never: 'never',
  justNow: 'just now',
  none: 'none',

  search: 'Search',
  /** The key. */
  ctrl: 'Ctrl',

  language: 'Language',
  documentation: 'Documentation',
  importedBy: (name: string | null) => `imported by ${name ?? 'somebody'}`,
  picture: 'Picture',
  togglePassword: 'Toggle password visibility',
  footnotes: 'Footnotes',
  footnoteBack: (number: string) => `Back to reference ${number}`,

  step: (at: number, count: number, name: string) => `Step ${at} of ${count}: ${name}`,
  field: 'Field',
  before: 'Before',
  after: 'After',
  noneContains: 'None contains this.',
  clear: (label: string) => `Clear ${label.toLowerCase()}`,
  newItems: (count: number) => `${number(count)} new`,

  notLoaded: {
    title: 'A part of Waymark did not load',
    hint: 'Nothing was changed. Check your connection, copy your input, then reload the page.',
    again: 'Load again',
  },
  problem: {
    correct: 'Correct the marked fields.',
    copyRequest: 'Copy request id',
    docs: 'What this means',
    withRequest: (detail: string, requestId: string) => `${detail} (request ${requestId})`,
  },
  unsaved: {
    leave: 'Leave without saving?',
    leaveHint: 'Your input here is not saved. Leaving discards it.',
    discard: 'Discard the draft?',
    discardHint: 'Only this browser has what you typed, and it deletes it.',
    act: 'Discard it',
    stay: 'Continue editing',
  },
  chart: {
    asTable: 'As a table',
    empty: (per: string) => `Nothing in any ${per}.`,
    others: (per: string) => `The values of every other ${per} are 0.`,
    image: (title: string) => `${title}; the table below has its numbers`,
  },
  download: {
    running: (name: string) => `Exporting ${name}`,
    progress: (name: string, size: string) => `Exporting ${name}: ${size} so far`,
    saved: (file: string, size: string) => `${file} is saved (${size}).`,
  },
  secret: {
    title: (label: string) => `Copy the ${label} now: it is not shown again`,
    done: 'I have copied it',
    leave: 'Close: it is copied',
    wait: 'Keep this open: the result is shown here, and only once.',
  },
  snippet: {
    commands: (language: string) => `Commands with ${language}`,
    copy: (language: string) => `Copy for ${language}`,
    node: 'Node 22.18 or newer',
  },
});
