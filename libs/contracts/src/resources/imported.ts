import { z } from 'zod';
import { limits } from '../limits.ts';
import { freeForm } from '../schema/free-form.ts';
import { text, time, title, uuid } from '../schema/types.ts';
import { confidenceKinds, Decision, DecisionOption, HistoryEntry, OutcomeRecord } from './decision.ts';
import { Message, Thread } from './thread.ts';
import { ExportedLink } from './transfer.ts';
import { Edge, Node, Workflow } from './workflow.ts';

/*
 * The records of an export as an import takes them: what is stored was checked when it was written, what a file says was
 * not. Strict, so that nothing in a file is lost without a word.
 */
const VERSION_MAX = 2 ** 31 - 1;
const version = () => z.number().int().min(1).max(VERSION_MAX);
/** Search orders by it, in steps that a double still tells apart. */
const past = () =>
  time().refine((value) => value >= '1970' && value < '2100', { error: 'must be between 1970 and 2100' });
const longText = () => text(limits.textCharacters);
const list = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems);
const unique = <T extends z.ZodType>(item: T) =>
  list(item).refine((value) => new Set(value).size === value.length, { error: 'must not repeat itself' });
const position = () => z.number().int();
const who = () => text(limits.nameCharacters);
const author = () =>
  z.strictObject({
    type: z.enum(['api_key', 'session', 'service', 'anonymous']),
    id: who().nullable(),
    name: who().nullable(),
  });
const confidence = () => z.number().min(0).max(1).nullable();
const confidenceKind = () => z.enum(confidenceKinds).nullable();

export const ImportedWorkflow = z.strictObject({
  ...Workflow.shape,
  title: title(),
  description: longText(),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

export const ImportedNode = z.strictObject({
  ...Node.shape,
  title: title(),
  data: freeForm(),
  position_x: position(),
  position_y: position(),
  assigned_to: text(limits.nameCharacters, 1).nullable(),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

export const ImportedEdge = z.strictObject({
  ...Edge.shape,
  condition: freeForm().nullable(),
  created_at: past(),
});

export const ImportedDecision = z
  .strictObject({
    ...Decision.shape,
    title: title(),
    question: title().nullable(),
    description: longText(),
    resolution: longText().nullable(),
    rationale: longText().nullable(),
    options_considered: list(DecisionOption),
    criteria: list(text(limits.titleCharacters, 1)),
    decision_type: text(limits.tagCharacters, 1).nullable(),
    tags: unique(text(limits.tagCharacters, 1)),
    decided_by: text(limits.nameCharacters, 1).nullable(),
    outcome_notes: longText().nullable(),
    outcome_confidence: confidence(),
    outcome_confidence_kind: confidenceKind(),
    relates_to: unique(uuid()),
    version: version(),
    created_by: who(),
    created_at: past(),
    updated_at: past(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((value.outcome_confidence === null) !== (value.outcome_confidence_kind === null)) {
      issue('outcome_confidence_kind', 'goes with outcome_confidence: both or neither');
    }
    if (value.supersedes === value.id) issue('supersedes', 'is the decision itself');
    if (value.relates_to.includes(value.id)) issue('relates_to', 'names the decision itself');
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    if (bytes > limits.decisionBytes) {
      issue('', `has ${bytes} bytes; a decision can have ${limits.decisionBytes} in all`);
    }
  });

export const ImportedOutcome = z.strictObject({
  ...OutcomeRecord.shape,
  notes: longText().nullable(),
  confidence: confidence(),
  confidence_kind: confidenceKind(),
  logged_by: who(),
  logged_at: past(),
});

export const ImportedHistory = z
  .strictObject({
    ...HistoryEntry.shape,
    decision_id: uuid(),
    version: version(),
    action: z.literal('update'),
    actor: z.strictObject({
      type: text(limits.nameCharacters),
      id: who().nullable(),
      name: who().nullable(),
    }),
    changes: z.record(z.string(), z.strictObject({ before: z.json(), after: z.json() })),
    created_at: past(),
  })
  .superRefine(({ changes }, context) => {
    const known = Object.keys(Decision.shape);
    for (const field of Object.keys(changes)) {
      if (known.includes(field)) continue;
      context.addIssue({ code: 'custom', path: ['changes', field], message: 'is no field of a decision' });
    }
    if (!isStorable(changes)) {
      context.addIssue({ code: 'custom', path: ['changes'], message: 'has text that cannot be stored' });
    }
    if (JSON.stringify(changes).length > 2 * limits.decisionBytes) {
      context.addIssue({ code: 'custom', path: ['changes'], message: 'is larger than a decision can be' });
    }
  });

/** Whether a value has neither NUL nor lone surrogates nor a key that is an object's own affair; its depth is bounded. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, inner]) => key !== '__proto__' && isStorable(key) && isStorable(inner),
  );
}

export const ImportedLink = z.strictObject(ExportedLink.shape);

export const ImportedThread = z.strictObject({ ...Thread.shape, created_at: past() });

export const ImportedMessage = z.strictObject({
  ...Message.shape,
  content: text(limits.messageCharacters, 1),
  author: author(),
  created_at: past(),
  edited_at: past().nullable(),
});

/** What each record of an export must be to be imported, by collection. */
export const importedRecords = {
  workflows: ImportedWorkflow,
  nodes: ImportedNode,
  edges: ImportedEdge,
  decisions: ImportedDecision,
  outcomes: ImportedOutcome,
  history: ImportedHistory,
  links: ImportedLink,
  threads: ImportedThread,
  messages: ImportedMessage,
};
