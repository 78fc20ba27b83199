import { z } from 'zod';
import { KIBIBYTE, limits, qualityModels } from '../limits.ts';
import { body } from '../schema/body.ts';
import { defaultsOf, example, field, forUpdate, inRecord, withDefault } from '../schema/fields.ts';
import {
  component,
  externalId,
  idText,
  importedTitle,
  integer,
  moment,
  name,
  nextCursor,
  page,
  text,
  time,
  title,
  uuid,
  workspaceInBody,
} from '../schema/types.ts';
import { DecisionApprovals } from './approval.ts';
import { importedBy, keyPerson } from './audit.ts';
import { CalendarFeedState } from './calendar.ts';
import { Calibration, DecisionForecasts } from './forecast.ts';
import { DecisionReview } from './review.ts';

export const decisionStatuses = ['proposed', 'accepted', 'rejected', 'archived'] as const;
export const outcomes = ['pending', 'success', 'partial', 'failure', 'abandoned'] as const;
export type Outcome = (typeof outcomes)[number];
/** The fields that lists of decisions are sorted by. */
export const decisionSorts = ['created_at', 'updated_at', 'quality_score', 'expected_by', 'title'] as const;
/** Each field ascending, and descending after a minus. */
export const decisionOrders = decisionSorts.flatMap((field) => [field, `-${field}`] as const);

const shortText = () => text(limits.titleCharacters, 1);
const status = () =>
  z.enum(decisionStatuses).describe('proposed: still open; accepted: it holds; archived: it holds no longer');
const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems);

export const DecisionOption = z.union([
  shortText(),
  z.strictObject({
    title: shortText().describe('What the option is'),
    pros: list(text(1_000, 1)).default([]).describe('What speaks for it'),
    cons: list(text(1_000, 1)).default([]).describe('What speaks against it'),
  }),
]);
export type DecisionOption = z.output<typeof DecisionOption>;
/** Without limits, and open to fields that a newer version writes during an upgrade. */
const StoredOption = z.union([
  z.string(),
  z.object({
    title: z.string(),
    pros: z.array(z.string()).default([]),
    cons: z.array(z.string()).default([]),
  }),
]);

const unique = <T extends z.ZodType>(item: T, noun: string) =>
  list(item)
    .refine((value) => new Set(value).size === value.length, { error: `must not repeat a ${noun}` })
    .meta({ uniqueItems: true });
const nullableText = (characters: number, minCharacters = 0) => text(characters, minCharacters).nullable();
const confidence = () => z.number().min(0).max(1).nullable();
const confidenceKind = () => withDefault(z.enum(['forecast', 'retrospective']).nullable(), null);
const storedTime = time().nullable();

const PEOPLE = 'each the user id of a member, or a name of somebody else';
const person = () => name().overwrite((value) => (isUserId(value) ? value.toLowerCase() : value));
const people = (which: string) =>
  field(unique(person(), 'person').describe(`${which}: ${PEOPLE}`), {
    default: [],
    kept: z.array(z.string()),
    example: ['Platform team'],
  });
/** Whether a value in a list of people is the id of a user. */
export const isUserId = (value: string) => z.uuid().safeParse(value).success;
export const peopleFields = ['deciders', 'consulted', 'informed'] as const;

const EXTERNAL_ID = 'Its id in another system, which no other decision of the workspace has';

/** A field that is added here reaches bodies, records, events, CSV, exports, imports and examples. */
const content = {
  title: field(title().describe('What the decision is called; by default its question'), {
    imported: importedTitle(),
    example: 'Which database keeps our decisions?',
  }),
  question: field(title().nullable().describe('What is to be decided'), {
    imported: importedTitle().nullable(),
    default: null,
    example: 'Which database keeps our decisions?',
  }),
  description: field(text(limits.textCharacters).describe('The situation in which it is decided'), {
    default: '',
    example: 'One that needs no schema change for each new field.',
  }),
  status: field(status(), { default: 'proposed' }),
  resolution: field(nullableText(limits.textCharacters).describe('What was decided'), {
    default: null,
    example: 'MongoDB',
  }),
  rationale: field(nullableText(limits.textCharacters).describe('Why this, and not another option'), {
    default: null,
    example: 'Documents as the interface shows them, and transactions over several.',
  }),
  options_considered: field(list(DecisionOption).describe('Texts, or objects with title, pros and cons'), {
    default: [],
    kept: z.array(StoredOption),
    example: ['MongoDB', 'PostgreSQL'],
  }),
  criteria: field(list(shortText()).describe('What the options are compared by'), {
    default: [],
    example: ['Runs on one laptop', 'Scales out'],
  }),
  decision_type: field(
    nullableText(limits.tagCharacters, 1).describe('Its kind, in your own words; approval rules are by kind'),
    { default: null, example: 'architecture' },
  ),
  tags: field(unique(text(limits.tagCharacters, 1), 'tag').describe('Words of your own to filter by'), {
    default: [],
    example: ['storage'],
  }),
  expected_by: field(
    moment()
      .nullable()
      .describe('When its outcome should be known; while none is logged, it is overdue from then on'),
    { default: null, kept: storedTime, imported: storedTime },
  ),
  review_by: field(moment().nullable().describe('When an accepted decision is to be reviewed'), {
    default: null,
    kept: storedTime,
    imported: storedTime,
  }),
  review_every_months: field(
    integer()
      .min(1)
      .max(limits.reviewMonths)
      .nullable()
      .describe('Sets review_by when the decision is accepted, and again after each review'),
    { default: null, example: 12 },
  ),
  decided_by: field(
    nullableText(limits.nameCharacters, 1).describe('Who decided, as a text; deciders is a list'),
    {
      default: null,
      example: 'Mira Castellanos',
    },
  ),
  deciders: people('Who decide'),
  consulted: people('Whose opinions are sought'),
  informed: people('Who are kept up to date'),
  outcome: field(z.enum(outcomes).describe('How it turned out; pending until that is known'), {
    default: 'pending',
  }),
  outcome_notes: field(nullableText(limits.textCharacters).describe('What happened, and what was learned'), {
    default: null,
    example: 'Two years without a migration that hurt.',
  }),
  outcome_confidence: field(
    confidence().describe('How likely success is; a forecast if stated before the first outcome'),
    {
      default: null,
      example: 0.8,
    },
  ),
  external_id: field(externalId().nullable().describe(EXTERNAL_ID), { default: null, example: 'PROJ-1234' }),
};
const links = {
  supersedes: field(uuid().nullable().describe('The decision that this one replaces'), { default: null }),
  relates_to: field(
    unique(uuid(), 'decision').describe('Decisions of the same workspace; seen from both sides'),
    { default: [] },
  ),
};
export const decisionFields = { ...content, ...links };

const SIZE = `The whole decision has at most ${limits.decisionBytes / KIBIBYTE} KiB of JSON in UTF-8, else 413.`;

const given = { ...workspaceInBody, ...forUpdate(decisionFields) };

function requireTitle(value: Record<string, unknown>, issue: (path: string, message: string) => void): void {
  if (value['title'] === undefined && typeof value['question'] !== 'string') {
    issue('title', 'is required; send title or question');
  }
}
export const DecisionCreate = body(
  {
    ...given,
    status: z
      .enum(decisionStatuses)
      .exclude(['archived'])
      .optional()
      .describe('proposed: still open; accepted: it holds'),
  },
  requireTitle,
).meta({
  id: 'DecisionCreate',
  description: `Requires title or question. ${SIZE}`,
});
export type DecisionCreate = z.output<typeof DecisionCreate>;

export const DecisionUpdate = body(given).meta({
  id: 'DecisionUpdate',
  description: `Absent fields stay as they are. ${SIZE}`,
});
export type DecisionUpdate = z.output<typeof DecisionUpdate>;

const { external_id: _, ...givenBeside } = given;

export const DecisionPut = body(givenBeside, requireTitle).meta({
  id: 'DecisionPut',
  description: `Requires title or question. Absent fields of an existing decision stay as they are. ${SIZE}`,
});
export type DecisionPut = z.output<typeof DecisionPut>;

export const DecisionDraft = body(given).meta({ id: 'DecisionDraft' });
export type DecisionDraft = z.output<typeof DecisionDraft>;

export const Decision = component('Decision', 'A decision with its latest outcome and its quality score', {
  id: uuid(),
  workspace_id: uuid(),
  ...inRecord(content),
  outcome_confidence_kind: confidenceKind().describe(
    'forecast: stated before the first outcome and frozen by it; retrospective: stated with it',
  ),
  ...inRecord(links),
  last_review: withDefault(DecisionReview.nullable(), null).describe(
    'The latest review; the history has the earlier ones',
  ),
  quality_score: z.number().min(0).max(100).describe('GET /decisions/{id}/quality explains it'),
  quality_model: withDefault(z.enum(qualityModels), 'dq-1').describe('The model that scored it last'),
  version: integer().describe('Each change adds 1; the ETag has it'),
  created_by: idText('Id of the user, the service account or the key that created it'),
  created_by_person: keyPerson('created_by'),
  imported_by: importedBy(),
  created_at: time(),
  updated_at: time(),
});
export type Decision = z.output<typeof Decision>;
/** The values of fields that a document or an event may lack. */
export const decisionDefaults = defaultsOf(Decision);

export const DecisionList = z.object({ decisions: z.array(Decision), next_cursor: nextCursor() });

const facet = () => z.array(z.object({ value: z.string(), count: integer() }));

export const DecisionFacets = component('DecisionFacets', {
  total: integer().describe('The decisions that match all filters'),
  tags: facet(),
  types: facet(),
  authors: z.array(
    z.object({
      id: idText('The created_by of the decisions'),
      name: example(z.string().nullable(), 'Mira Castellanos'),
      count: integer(),
    }),
  ),
});
export type DecisionFacets = z.output<typeof DecisionFacets>;

export const OutcomeRecord = component('Outcome', 'An outcome of a decision, as somebody logged it', {
  id: uuid(),
  workspace_id: uuid(),
  decision_id: uuid(),
  outcome: z.enum(outcomes),
  notes: z.string().nullable(),
  confidence: example(confidence(), 0.8),
  confidence_kind: confidenceKind(),
  logged_by: idText('Id of the user, or of the key, who logged it'),
  imported_by: importedBy(),
  logged_at: time(),
});
export type OutcomeRecord = z.output<typeof OutcomeRecord>;
export const outcomeDefaults = defaultsOf(OutcomeRecord);

const QualityComponent = z.object({
  name: z.enum([
    'frame',
    'alternatives',
    'information',
    'trade_offs',
    'reasoning',
    'commitment',
    'learnability',
  ]),
  points: z.number(),
  max: z.number(),
  raise: z
    .array(z.object({ points: z.number(), action: z.string() }))
    .describe('Ways to raise the component, with the points that each adds'),
});

export const Quality = component(
  'Quality',
  'The quality score of a decision, and how each component adds to it',
  {
    model: z.enum(qualityModels),
    score: z.number().min(0).max(100),
    capped: z
      .boolean()
      .describe(
        'Limited to 50, because Frame or Reasoning is 0, there are fewer than two options, or, for dq-2, description and rationale have fewer than 30 different words',
      ),
    components: z.array(QualityComponent),
  },
);
export type Quality = z.output<typeof Quality>;

export const HistoryEntry = component('DecisionHistoryEntry', 'A version of a decision, with what changed', {
  version: integer(),
  action: z.enum(['create', 'update']),
  actor: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
  imported_by: importedBy(),
  created_at: time(),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;
export const historyDefaults = defaultsOf(HistoryEntry);

const LinkedDecision = z.object({
  decision_id: uuid(),
  title: z.string(),
  status: z.enum(decisionStatuses),
});

export const DecisionLink = LinkedDecision.extend({
  kind: z.enum(['supersedes', 'superseded_by', 'relates']),
}).meta({
  id: 'DecisionLink',
  description: 'A decision that another one supersedes, is superseded by, or relates to',
});
export type DecisionLink = z.output<typeof DecisionLink>;

export const ChainEntry = LinkedDecision.extend({
  steps: integer().describe(
    '0: this decision; -1: the one that it supersedes; 1: one that supersedes it; and so on',
  ),
}).meta({
  id: 'DecisionChainEntry',
  description: 'A decision in a chain of decisions that supersede each other',
});
export type ChainEntry = z.output<typeof ChainEntry>;

export const DecisionLinks = page(DecisionLink)
  .extend({
    chain: z
      .array(ChainEntry)
      .describe('The decisions that led to this one and that followed it, latest first'),
    chain_complete: z
      .boolean()
      .describe(`False when it is longer than ${limits.supersedesChain} in either direction`),
  })
  .meta({ id: 'DecisionLinks' });
export type DecisionLinks = z.output<typeof DecisionLinks>;

const parts = {
  quality: Quality,
  outcomes: page(OutcomeRecord),
  approvals: DecisionApprovals,
  forecasts: DecisionForecasts,
  history: page(HistoryEntry),
  links: DecisionLinks,
};
export type DecisionPart = keyof typeof parts;
export const decisionParts = Object.keys(parts) as DecisionPart[];

export const DecisionWithParts = Decision.extend({
  included: z
    .object(parts)
    .partial()
    .optional()
    .describe(`The parts named by include, of lists the first ${limits.includedRecords}`),
}).meta({ id: 'DecisionWithParts', description: 'A decision, with the parts that the request includes' });
export type DecisionWithParts = z.output<typeof DecisionWithParts>;

export const MetricsHistory = component(
  'MetricsHistory',
  'Counts only decisions that still exist: deleted ones are missing from the past, too',
  {
    workspace_id: uuid(),
    data: z
      .array(
        z.object({
          at: time(),
          wms: z.number().min(0).max(100).describe('As in /metrics: 100 x decided / total'),
          decisions_total: integer(),
          decisions_with_outcome: integer(),
        }),
      )
      .describe('The metric at the start of each week (Monday, UTC), oldest first, and the metric now'),
  },
);
export type MetricsHistory = z.output<typeof MetricsHistory>;

const metricsParts = { history: MetricsHistory, calendar_feed: CalendarFeedState, calibration: Calibration };
export const metricsPartNames = Object.keys(metricsParts) as (keyof typeof metricsParts)[];

const Estimate = component('Estimate', 'A figure with the ends of its 95 % interval', {
  value: example(z.number(), 0.6),
  from: example(z.number(), 0.4),
  to: example(z.number(), 0.8),
});
export type Estimate = z.output<typeof Estimate>;

const ScoreBand = component('ScoreBand', 'The decisions whose quality score is in a band', {
  cases: integer().describe('Their outcome is success, or partial or failure, which are no success'),
  success_rate: Estimate.nullable().describe(`By Wilson (1927). Null below ${limits.casesMin} cases`),
});

const { middleScore, highScore } = limits;
const ScoreAndSuccess = component(
  'ScoreAndSuccess',
  `Whether decisions with a higher quality score succeeded more often: low is below ${middleScore}, high from ${highScore} on`,
  {
    low: ScoreBand,
    middle: ScoreBand,
    high: ScoreBand,
    difference: Estimate.nullable().describe('The rate of high less that of low, by Newcombe (1998)'),
  },
);
export type ScoreAndSuccess = z.output<typeof ScoreAndSuccess>;

export const Metrics = component('Metrics', {
  workspace_id: uuid(),
  wms: z.number().min(0).max(100).describe('100 x decided / total; 0 when there are no decisions'),
  decisions_total: integer(),
  decisions_with_outcome: integer(),
  overdue: integer().describe('Outcome pending, expected_by past, not rejected or archived'),
  average_quality_score: z.number().nullable(),
  calibration: z
    .object({
      scored: integer(),
      brier_score: z.number(),
      base_rate: z.number(),
      bins: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          count: integer(),
          mean_forecast: z.number().nullable(),
          observed_rate: z.number().nullable(),
        }),
      ),
    })
    .nullable()
    .describe('Null below 10 scored forecasts. Brier (1950): mean of (forecast - observed)^2'),
  score_and_success: ScoreAndSuccess,
  included: z
    .object(metricsParts)
    .partial()
    .optional()
    .describe(
      'The parts named by include: the history of as many weeks as asked; your calendar feed, null for a key; what /metrics/calibration returns',
    ),
});
export type Metrics = z.output<typeof Metrics>;

export const DeletedDecision = component('DeletedDecision', 'What remains of a deleted decision', {
  id: uuid(),
  version: integer().describe('The version of the deletion: higher than any that the decision had'),
  deleted_at: time(),
});
export type DeletedDecision = z.output<typeof DeletedDecision>;
