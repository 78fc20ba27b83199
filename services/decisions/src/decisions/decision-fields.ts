import { isDeepStrictEqual } from 'node:util';
import {
  type Changes,
  type Decision,
  type DecisionCreate,
  type DecisionDraft,
  type DecisionUpdate,
  invalid,
  limits,
} from '@waymark/contracts';

/** The fields of a decision that its callers write. */
type Content = Omit<
  Decision,
  'id' | 'workspace_id' | 'quality_score' | 'version' | 'created_by' | 'created_at' | 'updated_at'
>;

/** What a draft says, with everything that it leaves out at its default. Its outcome is not settled yet. */
export function contentOf(given: DecisionCreate | DecisionDraft): Content {
  return {
    title: given.title ?? given.question ?? '',
    question: given.question ?? null,
    description: given.description ?? '',
    status: given.status ?? 'proposed',
    resolution: given.resolution ?? null,
    rationale: given.rationale ?? null,
    options_considered: given.options_considered ?? [],
    criteria: given.criteria ?? [],
    decision_type: given.decision_type ?? null,
    tags: given.tags ?? [],
    expected_by: given.expected_by ?? null,
    decided_by: given.decided_by ?? null,
    outcome: 'pending',
    outcome_notes: given.outcome_notes ?? null,
    outcome_confidence: null,
    outcome_confidence_kind: null,
    supersedes: given.supersedes ?? null,
    relates_to: given.relates_to ?? [],
  };
}

/** The fields that an update names; those that it leaves out stay as they are. */
export function givenFields(given: DecisionUpdate): Partial<Content> {
  const named = Object.entries(given).filter(
    ([name, value]) => name !== 'workspace_id' && value !== undefined,
  );
  return Object.fromEntries(named) as Partial<Content>;
}

/** The fields among `fields` whose values differ from those of `before`. */
export function changesOf(before: Decision, fields: Partial<Content>): Changes {
  const changes: Changes = {};
  for (const [field, after] of Object.entries(fields)) {
    const value = before[field as keyof Content];
    if (!isDeepStrictEqual(value, after)) changes[field] = { before: value, after };
  }
  return changes;
}

/** Throws VALIDATION_ERROR when the fields, each within its limit, are too much together. */
export function checkSize(decision: Decision): void {
  const bytes = Buffer.byteLength(JSON.stringify(decision));
  if (bytes > limits.decisionBytes) {
    throw invalid('body', `makes a decision of ${bytes} bytes; it can have ${limits.decisionBytes} in all`);
  }
}
