import { z } from 'zod';
import { limits } from '../limits.ts';
import { inImport } from '../schema/fields.ts';
import { text, time, uuid } from '../schema/types.ts';
import { Decision, decisionFields, HistoryEntry, OutcomeRecord } from './decision.ts';
import { Message, messageFields, Thread } from './thread.ts';
import { ExportedLink } from './transfer.ts';
import { Edge, edgeFields, Node, nodeFields, Workflow, workflowFields } from './workflow.ts';

/*
 * The records of an export as an import accepts them: stored records were checked when they were written,
 * records in a file were not. Strict, so that an import never drops a field silently. An absent field gets
 * its default.
 */
const VERSION_MAX = 2 ** 31 - 1;
const version = () => z.number().int().min(1).max(VERSION_MAX);
/** Search sorts by numbers made of these times, which a double must hold exactly. */
const past = () =>
  time().refine((value) => value >= '1970' && value < '2100', { error: 'must be between 1970 and 2100' });
const who = () => text(limits.nameCharacters);
const author = () =>
  z.strictObject({
    type: z.enum(['api_key', 'session', 'service', 'anonymous']),
    id: who().nullable(),
    name: who().nullable(),
  });

export const ImportedWorkflow = z.strictObject({
  ...Workflow.shape,
  ...inImport(workflowFields),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

export const ImportedNode = z.strictObject({
  ...Node.shape,
  ...inImport(nodeFields),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

export const ImportedEdge = z.strictObject({
  ...Edge.shape,
  ...inImport(edgeFields),
  created_at: past(),
});

export const ImportedDecision = z
  .strictObject({
    ...Decision.shape,
    ...inImport(decisionFields),
    version: version(),
    created_by: who(),
    created_at: past(),
    updated_at: past(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((value.outcome_confidence === null) !== (value.outcome_confidence_kind === null)) {
      issue('outcome_confidence_kind', 'must be null exactly when outcome_confidence is null');
    }
    if (value.supersedes === value.id) issue('supersedes', 'must not be the decision itself');
    if (value.relates_to.includes(value.id)) issue('relates_to', 'must not include the decision itself');
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    if (bytes > limits.decisionBytes) {
      issue('', `has ${bytes} bytes; a decision can have at most ${limits.decisionBytes} in all`);
    }
  });

export const ImportedOutcome = z.strictObject({
  ...OutcomeRecord.shape,
  notes: text(limits.textCharacters).nullable(),
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
      context.addIssue({ code: 'custom', path: ['changes', field], message: 'is not a field of a decision' });
    }
    if (!isStorable(changes)) {
      context.addIssue({
        code: 'custom',
        path: ['changes'],
        message: 'must not contain NUL, lone surrogates or the key __proto__',
      });
    }
    if (JSON.stringify(changes).length > 2 * limits.decisionBytes) {
      context.addIssue({
        code: 'custom',
        path: ['changes'],
        message: 'is larger than a decision can be; shorten it',
      });
    }
  });

/** Whether a value has no NUL, no lone surrogate and no key `__proto__`; its depth is bounded. */
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
  ...inImport(messageFields),
  author: author(),
  created_at: past(),
  edited_at: past().nullable(),
});

/** The schema of each record that can be imported, by collection. */
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
