import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

/** The page of a decision. */
export const decisionPageTexts = defineTexts('decisionPage', {
  title: 'Decision',
  all: 'All decisions',
  replace: 'Replace',
  editSection: (section: string) => `Edit ${section.toLowerCase()}`,
  pros: 'Pros',
  cons: 'Cons',

  accept: { act: 'Accept', done: 'The decision is accepted.' },
  remove: {
    title: 'Delete this decision?',
    consequence: (title: string) =>
      `This deletes “${title}” with its history and outcomes. To mark it as no longer valid, archive it instead.`,
    done: 'The decision is deleted.',
  },

  draft: {
    title: 'You have not saved a change of this decision',
    kept: (when: ReactNode) => rich`Your draft of ${when} is kept in this browser.`,
    open: 'Continue editing',
  },

  overdue: 'overdue',
  facts: {
    title: 'Facts',
    bare: 'No tags, type or decider yet.',
    forecast: 'Forecast',
    afterwards: 'Confidence afterwards',
    created: (created: ReactNode) => rich`Created ${created}`,
    times: (created: ReactNode, changed: ReactNode) => rich`Created ${created}, changed ${changed}`,
  },

  history: {
    title: 'History',
    version: (version: number) => `Version ${version}`,
    created: (version: ReactNode, actor: string | null, when: ReactNode) =>
      rich`${version}, created by ${actor ?? 'somebody'}, ${when}`,
    changed: (version: ReactNode, actor: string | null, when: ReactNode) =>
      rich`${version}, changed by ${actor ?? 'somebody'}, ${when}`,
    compare: 'Before and after',
    compareOf: (version: number) => `Before and after of version ${version}`,
    changesOf: (version: number) => `Changes of version ${version}`,
  },

  links: {
    title: 'Links',
    none: 'No other decision is linked to this one. If it no longer applies, supersede it with a new one: the two stay linked.',
    related: 'Related',
    chain: 'Superseded decisions, latest first',
    continues: 'The chain continues beyond these.',
  },

  outcomes: 'Outcomes',
  log: {
    act: 'Log outcome',
    title: 'Log the outcome',
    choose: 'Choose what came of it',
    tooEarly: 'pending: logged too early',
    notes: 'Notes: what happened, and what you learned',
    frozen: (forecast: string) =>
      `The forecast was ${forecast}. Once an outcome is logged it stays, and Insight compares the two.`,
    hindsight: 'Confidence in hindsight, in percent',
    hindsightHint: 'Stored with the outcome. Only earlier forecasts count in the calibration',
    done: 'The outcome is logged.',
  },
});
