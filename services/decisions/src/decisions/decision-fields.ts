import { isDeepStrictEqual } from 'node:util';
import {
  type Changes,
  type Decision,
  type DecisionCreate,
  type DecisionDraft,
  type DecisionUpdate,
  decisionDefaults,
  invalid,
  limits,
} from '@waymark/contracts';
import { settleOutcome, unknownOutcome } from './outcome.ts';

/** The fields of a decision that its callers write. */
type Content = Omit<
  Decision,
  | 'id'
  | 'workspace_id'
  | 'quality_score'
  | 'quality_model'
  | 'version'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
>;

/** Returns the content of a new decision, with defaults, and whether it logs an outcome. */
export function newContent(given: DecisionCreate | DecisionDraft): { content: Content; isLogged: boolean } {
  const { fields, isLogged } = settleOutcome(unknownOutcome, given, false);
  const title = given.title ?? given.question ?? '';
  const defaults = decisionDefaults as Omit<Content, 'title'>;
  return { content: { title, ...defaults, ...givenFields(given), ...fields }, isLogged };
}

/** Returns the fields that a body has. An update leaves the others as they are. */
export function givenFields(given: DecisionUpdate | DecisionDraft): Partial<Content> {
  const named = Object.entries(given).filter(
    ([name, value]) => name !== 'workspace_id' && value !== undefined,
  );
  return Object.fromEntries(named) as Partial<Content>;
}

/** Returns the changes: the values of `fields` that differ from `before`. */
export function changesOf(before: Decision, fields: Partial<Content>): Changes {
  const changes: Changes = {};
  for (const [field, after] of Object.entries(fields)) {
    const value = before[field as keyof Content];
    if (!isDeepStrictEqual(value, after)) changes[field] = { before: value, after };
  }
  return changes;
}

/** Throws VALIDATION_ERROR when the fields, each within its limit, are too large together. */
export function checkSize(decision: Decision): void {
  const bytes = Buffer.byteLength(JSON.stringify({ ...decision, imported_by: null }));
  if (bytes > limits.decisionBytes) {
    throw invalid('body', `makes a decision of ${bytes} bytes; it can have ${limits.decisionBytes} in all`);
  }
}
