import { defineTexts } from './define-texts.ts';
import { number, sentence } from './format.ts';

/** The labels that do not follow from the names of the fields. */
const LABELS: Record<string, string> = {
  options_considered: 'Options',
  decision_type: 'Type',
  expected_by: 'Outcome expected by',
  review_every_months: 'Review every … months',
  outcome_notes: 'Notes on the outcome',
  outcome_confidence: 'Confidence',
  outcome_confidence_kind: 'Kind of confidence',
};

/** The texts that the page of a decision and its form have in common. */
export const decisionTexts = defineTexts('decision', {
  /** The label of a field: `decided_by` is "Decided by". */
  field(name: string): string {
    return LABELS[name] ?? sentence(name.replaceAll('_', ' '));
  },
  optionsConsidered: 'Options considered',
  /** The sections of a decision that are edited together. */
  sections: {
    title: 'Title',
    context: 'Context',
    options: 'Options and criteria',
    reasons: 'Resolution and reasons',
    forecast: 'Forecast',
    facts: 'Tags and status',
    review: 'Review',
    links: 'Links',
  },
  confidenceKind: { forecast: 'forecast', retrospective: 'retrospective' },
  reviewResult: { reaffirm: 'reaffirmed', change: 'to be changed', supersede: 'superseded' },
  percentNeeded: 'A number from 0 to 100',
  discardDraft: 'Discard draft',

  quality: {
    title: 'Quality',
    of: (max: number) => `of ${max}`,
    score: (score: number) => `Quality score ${score} of 100`,
    points: (points: number, max: number) => `${points} of ${max}`,
    components: {
      frame: 'Frame',
      alternatives: 'Alternatives',
      information: 'Information',
      trade_offs: 'Trade-offs',
      reasoning: 'Reasoning',
      commitment: 'Commitment',
      learnability: 'Learnability',
    },
    /** The conditions for the points of each part, as libs/quality counts them. */
    means: {
      'dq-1': {
        frame: 'A title or question of four words or more, and a description of 200 characters.',
        alternatives: 'Two distinct options; a third one gives more points.',
        information: 'A pro and a con for every option, and a link to evidence.',
        trade_offs: 'Two criteria, and a con of the option that the resolution names.',
        reasoning: 'A rationale of 300 characters that names two options, and a resolution.',
        commitment: 'A date by which the outcome is expected, and who decided.',
        learnability: 'A forecast before the outcome is known, a type, and a tag.',
      },
      'dq-2': {
        frame: 'A title or question of four different words, and a description of 30 different words.',
        alternatives: 'Two options, or a list of them in the text; a third one gives more points.',
        information: 'A pro and a con for every option, and a link to evidence.',
        trade_offs: 'Two criteria, and a con of the option that the resolution names.',
        reasoning: 'Reasons in 40 different words, a resolution, and two options named in the rationale.',
        commitment: 'A date for the outcome, who decided, and a decision that is accepted or rejected.',
        learnability: 'A forecast before the outcome is known, a type, and a tag.',
      },
    },
    guide: 'How the score works',
    capped: {
      'dq-1': 'Limited to 50 until the decision has a frame, at least two options, and reasoning.',
      'dq-2':
        'Limited to 50 until the decision has a frame, two options, reasoning, and 30 different words in all.',
    },
    raise: 'How to raise the score',
    more: (count: number) => `${number(count)} more`,
    /** The API and the library of the score have these texts in English. */
    action: (action: string) => action,
  },
});
