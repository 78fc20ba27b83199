import { z } from 'zod';
import { limits } from '../limits.ts';
import { body, moment, nextCursor, page, text, time, title, uuid } from '../schema/types.ts';

export const decisionStatuses = ['proposed', 'accepted', 'rejected', 'archived'] as const;
export const creatableStatuses = ['proposed', 'accepted', 'rejected'] as const;
export const outcomes = ['pending', 'success', 'partial', 'failure', 'abandoned'] as const;
export const confidenceKinds = ['forecast', 'retrospective'] as const;
export type Outcome = (typeof outcomes)[number];

const shortText = () => text(limits.titleCharacters, 1);
const longText = () => text(limits.textCharacters);
const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems);

export const DecisionOption = z.union([
  shortText(),
  z.strictObject({
    title: shortText(),
    pros: list(text(1_000, 1)).default([]),
    cons: list(text(1_000, 1)).default([]),
  }),
]);
export type DecisionOption = z.output<typeof DecisionOption>;

const tags = () =>
  list(text(limits.tagCharacters, 1)).refine((value) => new Set(value).size === value.length, {
    error: 'must not repeat a tag',
  });
const relations = () =>
  list(uuid()).refine((value) => new Set(value).size === value.length, {
    error: 'must not repeat a decision',
  });
const confidence = () => z.number().min(0).max(1);

/** Fields that both create and update take. */
const content = {
  title: title().optional(),
  question: title().nullable().optional(),
  description: longText().optional(),
  resolution: longText().nullable().optional(),
  rationale: longText().nullable().optional(),
  optionsConsidered: list(DecisionOption).optional(),
  criteria: list(shortText()).optional(),
  decisionType: text(limits.tagCharacters, 1).nullable().optional(),
  tags: tags().optional(),
  expectedBy: moment().nullable().optional(),
  decidedBy: text(limits.nameCharacters, 1).nullable().optional(),
  outcome: z.enum(outcomes).optional(),
  outcomeNotes: longText().nullable().optional(),
  outcomeConfidence: confidence().nullable().optional(),
  supersedes: uuid().nullable().optional().describe('The decision that this one takes the place of'),
  relatesTo: relations().optional().describe('Decisions of the same workspace; seen from both sides'),
};

const workspace = { workspaceId: uuid().optional().describe('Here or in the query') };

export const DecisionCreate = body(
  { ...workspace, ...content, status: z.enum(creatableStatuses).optional() },
  (value, issue) => {
    if (value['title'] === undefined && typeof value['question'] !== 'string') {
      issue('title', 'send title or question');
    }
  },
).meta({
  id: 'DecisionCreate',
  description: 'title or question suffices; fields are taken in snake_case as well',
});
export type DecisionCreate = z.output<typeof DecisionCreate>;

export const DecisionUpdate = body({
  ...workspace,
  ...content,
  status: z.enum(decisionStatuses).optional(),
}).meta({ id: 'DecisionUpdate', description: 'Absent fields stay as they are' });
export type DecisionUpdate = z.output<typeof DecisionUpdate>;

export const DecisionDraft = body({
  ...workspace,
  ...content,
  status: z.enum(decisionStatuses).optional(),
}).meta({
  id: 'DecisionDraft',
});
export type DecisionDraft = z.output<typeof DecisionDraft>;

export const Decision = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    title: z.string(),
    question: z.string().nullable(),
    description: z.string(),
    status: z.enum(decisionStatuses),
    resolution: z.string().nullable(),
    rationale: z.string().nullable(),
    options_considered: z.array(DecisionOption),
    criteria: z.array(z.string()),
    decision_type: z.string().nullable(),
    tags: z.array(z.string()),
    expected_by: time().nullable(),
    decided_by: z.string().nullable(),
    outcome: z.enum(outcomes),
    outcome_notes: z.string().nullable(),
    outcome_confidence: confidence().nullable(),
    outcome_confidence_kind: z
      .enum(confidenceKinds)
      .nullable()
      .describe('forecast: stated before the first outcome and frozen by it; retrospective: stated with it'),
    supersedes: uuid().nullable(),
    relates_to: z.array(uuid()),
    quality_score: z.number().min(0).max(100),
    version: z.number().int(),
    created_by: z.string().describe('Id of the user, or of the key, who created it'),
    created_at: time(),
    updated_at: time(),
  })
  .meta({ id: 'Decision' });
export type Decision = z.output<typeof Decision>;

export const DecisionList = z.object({ decisions: z.array(Decision), next_cursor: nextCursor() });

export const OutcomeRecord = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    decision_id: uuid(),
    outcome: z.enum(outcomes),
    notes: z.string().nullable(),
    confidence: confidence().nullable(),
    confidence_kind: z.enum(confidenceKinds).nullable(),
    logged_by: z.string(),
    logged_at: time(),
  })
  .meta({ id: 'Outcome' });
export type OutcomeRecord = z.output<typeof OutcomeRecord>;

export const QualityComponent = z.object({
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
    .describe('What would raise the component, and by how much'),
});

export const Quality = z
  .object({
    model: z.literal('dq-1'),
    score: z.number().min(0).max(100),
    capped: z
      .boolean()
      .describe('Held at 50 because Frame or Reasoning is 0 or fewer than two options are given'),
    components: z.array(QualityComponent),
  })
  .meta({ id: 'Quality' });
export type Quality = z.output<typeof Quality>;

export const HistoryEntry = z
  .object({
    version: z.number().int(),
    action: z.enum(['create', 'update']),
    actor: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
    changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
    created_at: time(),
  })
  .meta({ id: 'DecisionHistoryEntry' });
export type HistoryEntry = z.output<typeof HistoryEntry>;

export const linkKinds = ['supersedes', 'superseded_by', 'relates'] as const;

const LinkedDecision = z.object({
  decision_id: uuid(),
  title: z.string(),
  status: z.enum(decisionStatuses),
});

export const DecisionLink = LinkedDecision.extend({ kind: z.enum(linkKinds) }).meta({ id: 'DecisionLink' });
export type DecisionLink = z.output<typeof DecisionLink>;

export const ChainEntry = LinkedDecision.extend({
  steps: z
    .number()
    .int()
    .describe('0: this decision; -1: the one that it supersedes, and so on; 1: those that supersede it'),
}).meta({ id: 'DecisionChainEntry' });
export type ChainEntry = z.output<typeof ChainEntry>;

export const DecisionLinks = page(DecisionLink)
  .extend({
    chain: z.array(ChainEntry).describe('What led to this decision and what became of it, latest first'),
    chain_complete: z.boolean().describe(`False when it is longer than ${limits.supersedesChain} either way`),
  })
  .meta({ id: 'DecisionLinks' });
export type DecisionLinks = z.output<typeof DecisionLinks>;

export const Metrics = z
  .object({
    workspace_id: uuid(),
    wms: z.number().min(0).max(100).describe('100 x decided / total; 0 when there are no decisions'),
    decisions_total: z.number().int(),
    decisions_with_outcome: z.number().int(),
    overdue: z.number().int().describe('Outcome pending, expected_by past, not rejected or archived'),
    average_quality_score: z.number().nullable(),
    calibration: z
      .object({
        scored: z.number().int(),
        brier_score: z.number(),
        base_rate: z.number(),
        bins: z.array(
          z.object({
            from: z.number(),
            to: z.number(),
            count: z.number().int(),
            mean_forecast: z.number().nullable(),
            observed_rate: z.number().nullable(),
          }),
        ),
      })
      .nullable()
      .describe('Null below 10 scored forecasts. Brier, 1950: mean of (forecast - observed)^2'),
  })
  .meta({ id: 'Metrics' });
export type Metrics = z.output<typeof Metrics>;

export const MetricsHistory = z
  .object({
    workspace_id: uuid(),
    data: z
      .array(
        z.object({
          at: time(),
          wms: z.number().min(0).max(100).describe('As in /metrics: 100 x with an outcome / total'),
          decisions_total: z.number().int(),
          decisions_with_outcome: z.number().int(),
        }),
      )
      .describe(
        'How it stood at the beginning of each week (Monday, UTC), oldest first, and how it stands now',
      ),
  })
  .meta({
    id: 'MetricsHistory',
    description: 'Of the decisions that there are now: what was deleted since has left the past as well',
  });
export type MetricsHistory = z.output<typeof MetricsHistory>;
