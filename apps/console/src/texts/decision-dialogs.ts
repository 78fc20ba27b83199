import { defineTexts } from './define-texts.ts';

/** The dialogs of a decision's outcome and review, which the page loads when they are opened. */
export const decisionDialogsTexts = defineTexts('decisionDialogs', {
  review: {
    title: 'Review this decision',
    result: 'Does it still hold?',
    results: {
      reaffirm: 'Yes: reaffirm it',
      change: 'It has to be changed',
      supersede: 'No: another decision supersedes it',
    },
    successor: 'Superseded by',
    successorHint: 'A decision that supersedes no other one. This one is then archived.',
    note: 'Note',
    done: 'The review is recorded.',
  },
  log: {
    title: 'Log the outcome',
    choose: 'Choose what came of it',
    tooEarly: 'Pending: logged too early',
    notes: 'Notes: what happened, and what you learned',
    frozen: (forecast: string) =>
      `The forecast was ${forecast}. Once an outcome is logged it stays, and Insight compares the two.`,
    hindsight: 'Confidence in hindsight, in percent',
    hindsightHint: 'Stored with the outcome. Only earlier forecasts count in the calibration',
    done: 'The outcome is logged.',
  },
});
