import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { plural, rich } from './format.ts';

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
    kept: (when: ReactNode) => rich`Your draft is kept in this browser, last changed ${when}.`,
    open: 'Continue editing',
  },

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
    happened: (version: ReactNode, isNew: boolean, actor: string | null, when: ReactNode) =>
      rich`${version}, ${isNew ? 'created' : 'changed'}${actor && ` by ${actor}`}, ${when}`,
    compare: 'Before and after',
    compareOf: (version: number) => `Before and after of version ${version}`,
  },

  links: {
    title: 'Links',
    none: 'No other decision is linked to this one. If it no longer applies, supersede it with a new one: the two stay linked.',
    related: 'Related',
    chain: 'Decisions that superseded each other, latest first',
    continues: 'The chain continues beyond these.',
  },

  approvals: {
    title: 'Approvals',
    none: 'Nobody has said anything about this text yet.',
    give: { approve: 'Approve', object: 'Object', abstain: 'Abstain' },
    given: 'Your verdict is recorded.',
    said: {
      approve: (who: ReactNode, when: ReactNode) => rich`${who} approved, ${when}`,
      object: (who: ReactNode, when: ReactNode) => rich`${who} objected, ${when}`,
      abstain: (who: ReactNode, when: ReactNode) => rich`${who} abstained, ${when}`,
    },
    state: {
      current: 'about this text',
      replaced: 'replaced by a later verdict',
      voided: 'about an earlier text; a change has voided it',
    },
    notCounted: 'does not count for the rule',
    hash: 'SHA-256 of the text',
    compare: 'What has changed',
    compareOf: (who: string) => `What has changed since ${who} read it`,
    missing: (count: number, from: string) =>
      plural(count, {
        one: `# approval is missing, from ${from}.`,
        other: `# approvals are missing, from ${from}.`,
      }),
    anyone: { member: 'any member', admin: 'any admin or owner', owner: 'any owner' },
    tooFew: (count: number) =>
      plural(count, {
        one: '# approval is missing, and no named member can give it any more. An admin can change the rule.',
        other:
          '# approvals are missing, and too few named members can give them. An admin can change the rule.',
      }),
    enforced: 'Until then this decision cannot be accepted.',
    complete: 'All approvals that the workspace asks for are there.',
    asked: (who: string, when: ReactNode) => rich`Asked: ${who}, ${when}.`,
    ask: 'Ask for approval',
    askWhom: 'Whom do you ask?',
    isAsked: 'Your request is sent.',
    objection: 'Object to this text',
    reason: 'What would have to change?',
    stale: 'The text has changed since you read it',
    staleHint: 'Read it again on the page, then give your verdict.',
  },

  forecasts: {
    title: 'Forecasts',
    open: 'How likely each person and agent holds a success, beside the forecast of the decision.',
    closed: 'The outcome was logged, so forecasts can no longer change.',
    none: 'Nobody has given a forecast yet.',
    hidden: (count: number) =>
      `${plural(count, {
        one: '# forecast is given.',
        other: '# forecasts are given.',
      })} Those of others are hidden until you give yours; once the outcome is logged, everyone sees them.`,
    median: (share: string, count: number) =>
      `Median ${share} of ${plural(count, { one: '# forecast', other: '# forecasts' })}`,
    medianMeans: 'The forecast in the middle: half of the others are lower, half are higher.',
    extremized: (share: string) => `Extremized mean ${share}`,
    extremizedMeans:
      'The mean of the log-odds times 1.5, as a probability: forecasters who know different things are together too cautious.',
    of: (who: ReactNode, share: string, when: ReactNode) => rich`${who}: ${share}, ${when}`,
    give: 'Give your forecast',
    change: 'Change your forecast',
    probability: 'Chance of success, in percent',
    reason: 'Reason, which everyone who sees the forecast reads',
    save: 'Save the forecast',
    given: 'Your forecast is saved.',
    guide: 'How forecasts are compared with outcomes',
  },

  review: {
    act: 'Review',
    due: 'review due',
  },

  outcomes: 'Outcomes',
  log: {
    act: 'Log outcome',
  },
});
