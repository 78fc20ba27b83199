import { decisionTexts as t } from '../texts/decision.ts';
import { wordsTexts as words } from '../texts/words.ts';

/** The label of a decision's field: `decided_by` is "Decided by". */
export function fieldName(field: string): string {
  const names: Record<string, string> = t.fields;
  const spaced = field.replaceAll('_', ' ');
  return names[field] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The value of a decision's field, with the words of the API in the user's language. */
export function fieldValue(field: string, value: unknown): unknown {
  const values: Record<string, Record<string, string>> = {
    status: words.status,
    outcome: words.outcome,
    outcome_confidence_kind: t.confidenceKind,
  };
  return values[field]?.[String(value)] ?? value;
}
