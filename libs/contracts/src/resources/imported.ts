import { z } from 'zod';
import { limits } from '../limits.ts';
import { inImport, withDefault } from '../schema/fields.ts';
import { isText, text, time, uuid } from '../schema/types.ts';
import { Approval, ApprovalRule, MORE_APPROVALS_THAN_MEMBERS, namesEnoughMembers } from './approval.ts';
import { Actor } from './audit.ts';
import { Decision, decisionFields, HistoryEntry, OutcomeRecord } from './decision.ts';
import { Forecast } from './forecast.ts';
import { DecisionReview } from './review.ts';
import { emojis, Message, messageFields, Reaction, Thread } from './thread.ts';
import { ExportedLink } from './transfer.ts';
import { Edge, edgeFields, Node, nodeFields, Workflow, workflowFields } from './workflow.ts';

/*
 * The records of an export as an import accepts them: unlike stored records, those in a file were never
 * checked. Strict, so that an import never drops a field silently. An absent field gets its default.
 */
const VERSION_MAX = 2 ** 31 - 1;
const version = () => z.number().int().min(1).max(VERSION_MAX);
/** Search sorts by numbers made of these times, which a double must hold exactly. */
const past = () =>
  time().refine((value) => value >= '1970' && value < '2100', { error: 'must be between 1970 and 2100' });
const who = () => text(limits.nameCharacters);
const actor = <T extends z.ZodType>(type: T) =>
  z.strictObject({ type, id: who().nullable(), name: who().nullable() });

type Context = z.core.$RefinementCtx;
const addIssue = (context: Context, path: string[], message: string) =>
  context.addIssue({ code: 'custom', path, message });

const ImportedWorkflow = z.strictObject({
  ...Workflow.shape,
  ...inImport(workflowFields),
  created_by: withDefault(who().nullable(), null),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

const ImportedNode = z.strictObject({
  ...Node.shape,
  ...inImport(nodeFields),
  created_at: past(),
  updated_at: past(),
  version: version(),
});

const ImportedEdge = z.strictObject({
  ...Edge.shape,
  ...inImport(edgeFields),
  created_at: past(),
});

const ImportedReview = z.strictObject({
  ...DecisionReview.shape,
  note: text(limits.reasonCharacters).nullable(),
  reviewer: actor(Actor.shape.type),
  reviewed_at: past(),
});

const ImportedDecision = z
  .strictObject({
    ...Decision.shape,
    ...inImport(decisionFields),
    last_review: withDefault(ImportedReview.nullable(), null),
    version: version(),
    created_by: who(),
    created_at: past(),
    updated_at: past(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) => addIssue(context, [path], message);
    if ((value.outcome_confidence === null) !== (value.outcome_confidence_kind === null)) {
      issue('outcome_confidence_kind', 'must be null exactly when outcome_confidence is null');
    }
    if (value.supersedes === value.id) issue('supersedes', 'must not be the decision itself');
    if (value.relates_to.includes(value.id)) issue('relates_to', 'must not include the decision itself');
    // Who imports the decision must not make it too large.
    const bytes = Buffer.byteLength(JSON.stringify({ ...value, imported_by: null }));
    if (bytes > limits.decisionBytes) {
      issue('', `has ${bytes} bytes; a decision can have at most ${limits.decisionBytes} in all`);
    }
  });

const ImportedOutcome = z.strictObject({
  ...OutcomeRecord.shape,
  notes: text(limits.textCharacters).nullable(),
  logged_by: who(),
  logged_at: past(),
});

const ImportedApproval = z.strictObject({
  ...Approval.shape,
  decision_version: version(),
  reason: text(limits.reasonCharacters).nullable(),
  approver: actor(Actor.shape.type),
  created_at: past(),
  ended_at: past().nullable(),
});

const ImportedForecast = z.strictObject({
  ...Forecast.shape,
  reason: text(limits.reasonCharacters).nullable(),
  forecaster: actor(Actor.shape.type),
  created_at: past(),
  ended_at: past().nullable(),
});

const ImportedHistory = z
  .strictObject({
    ...HistoryEntry.shape,
    decision_id: uuid(),
    version: version(),
    action: z.literal('update'),
    actor: actor(who()),
    changes: z.record(z.string(), z.strictObject({ before: z.json(), after: z.json() })),
    created_at: past(),
  })
  .superRefine(({ changes }, context) => {
    const known = Object.keys(Decision.shape);
    for (const field of Object.keys(changes)) {
      if (!known.includes(field)) addIssue(context, ['changes', field], 'is not a field of a decision');
    }
    if (!isStorable(changes)) {
      addIssue(context, ['changes'], 'must not contain NUL, lone surrogates or the key __proto__');
    }
    if (JSON.stringify(changes).length > 2 * limits.decisionBytes) {
      addIssue(context, ['changes'], 'is larger than a decision can be; shorten it');
    }
  });

/** The reader of the file has bounded the depth of `value`. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, inner]) => key !== '__proto__' && isStorable(key) && isStorable(inner),
  );
}

interface OfTopic {
  node_id: string | null;
  decision_id: string | null;
}
function checkTopic({ node_id, decision_id }: OfTopic, context: Context): void {
  if ((node_id === null) === (decision_id === null)) {
    addIssue(context, ['decision_id'], 'must be null exactly when node_id is not');
  }
}

const ImportedThread = z.strictObject({ ...Thread.shape, created_at: past() }).superRefine(checkTopic);

const ImportedMessage = z
  .strictObject({
    ...Message.shape,
    ...inImport(messageFields),
    author: actor(Actor.shape.type),
    created_at: past(),
    edited_at: past().nullable(),
    reactions: withDefault(z.array(z.strictObject(Reaction.shape)).max(emojis.length), []),
    resolved_at: withDefault(past().nullable(), null),
    resolved_by: withDefault(actor(Actor.shape.type).nullable(), null),
  })
  .superRefine(checkTopic)
  .superRefine(({ reactions, resolved_at, resolved_by }, context) => {
    if ((resolved_at === null) !== (resolved_by === null)) {
      addIssue(context, ['resolved_by'], 'must be null exactly when resolved_at is');
    }
    const all = reactions.flatMap(({ emoji, reactor_ids }) => reactor_ids.map((id) => `${emoji} ${id}`));
    if (all.length > limits.reactionsPerMessage) {
      addIssue(context, ['reactions'], `must be at most ${limits.reactionsPerMessage} in all`);
    }
    if (
      new Set(all).size < all.length ||
      new Set(reactions.map(({ emoji }) => emoji)).size < reactions.length
    )
      addIssue(context, ['reactions'], 'must have each emoji once, with each id once');
  });

export const importedRecords = {
  workflows: ImportedWorkflow,
  nodes: ImportedNode,
  edges: ImportedEdge,
  decisions: ImportedDecision,
  outcomes: ImportedOutcome,
  approvals: ImportedApproval,
  forecasts: ImportedForecast,
  history: ImportedHistory,
  links: z.strictObject(ExportedLink.shape),
  threads: ImportedThread,
  messages: ImportedMessage,
  approval_rules: z.strictObject(ApprovalRule.shape).superRefine((rule, context) => {
    if (!namesEnoughMembers(rule)) addIssue(context, ['approvals'], MORE_APPROVALS_THAN_MEMBERS);
  }),
};
