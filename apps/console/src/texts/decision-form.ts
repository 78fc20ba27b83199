import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

/** The form of a decision, and the editors of its sections. */
export const decisionFormTexts = defineTexts('decisionForm', {
  newDecision: 'New decision',
  editDecision: 'Edit decision',
  label: 'Decision',
  score: (score: number) => `Score ${score}`,
  log: 'Log decision',
  logged: 'The decision is logged.',
  changed: 'The decision is changed.',
  replaces: (decision: ReactNode) => rich`It will take the place of ${decision}.`,
  before: 'the decision before',
  keys: 'Ctrl+Enter saves, Escape cancels',

  questionHint: 'What has to be decided?',
  resolutionHint: 'What was chosen',
  tagsHint: 'storage, cost',
  typeHint: 'architecture',
  criteria: 'Criteria, one per line',
  forecast: 'Forecast of success, in percent',
  titleNeeded: 'Give it a title',
  optionNeeded: 'Name the option',

  options: {
    none: 'What else could be done? Doing nothing is an option too.',
    option: (number: number) => `Option ${number}`,
    remove: (number: number) => `Remove option ${number}`,
    pros: 'Pros, one per line',
    cons: 'Cons, one per line',
    add: 'Add an option',
  },

  links: {
    supersedesHint: 'The decision that this one replaces',
    related: 'Related decisions',
    relatedHint: 'They link back to this decision',
    search: 'Search by title',
    searching: 'Searching …',
    noneFound: 'No decision contains this.',
    unknown: 'An unknown decision',
  },

  preview: 'Preview',
  previewOf: (label: string) => `Preview of ${label}`,
  previewEmpty: 'Nothing to show yet.',

  draft: {
    from: (when: ReactNode) => rich`This is your draft, last changed ${when}.`,
    outdated: 'The decision has changed since you began this draft',
    outdatedHint: (when: ReactNode, version: number) =>
      rich`Your draft, last changed ${when}, began with version ${version}. Saving it shows both versions, and you choose.`,
    kept: 'Draft kept',
    failed: 'This browser keeps no draft of this form',
  },

  conflict: {
    title: (by: string | null) => `${by ?? 'Somebody else'} changed this decision while you were editing it`,
    table: 'Yours and theirs',
    sides: ['Yours', 'Theirs'] as [string, string],
    unchanged: 'not changed by you',
    hint: 'Saving yours keeps their changes of other fields.',
    takeTheirs: 'Discard mine, take theirs',
    saveMine: 'Save mine over theirs',
  },
});
