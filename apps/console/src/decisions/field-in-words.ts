import { decisionTexts as t } from '../texts/decision.ts';
import { wordsTexts as words } from '../texts/words.ts';

/** The value of a decision's field, with the words of the API in the user's language. */
export function fieldValue(field: string, value: unknown): unknown {
  const values: Record<string, Record<string, string>> = {
    status: words.status,
    outcome: words.outcome,
    outcome_confidence_kind: t.confidenceKind,
  };
  return values[field]?.[String(value)] ?? value;
}
