import type { Schemas } from '@waymark/client/api';
import { decisionTexts as t } from '../texts/decision.ts';
import { wordsTexts as words } from '../texts/words.ts';

/** The value of a decision's field, with the words of the API in the user's language. */
export function fieldValue(field: string, value: unknown): unknown {
  const values: Record<string, Record<string, string>> = {
    status: words.status,
    outcome: words.outcome,
    outcome_confidence_kind: t.confidenceKind,
  };
  if (field === 'last_review' && value !== null) return reviewInWords(value as Schemas['DecisionReview']);
  return values[field]?.[String(value)] ?? value;
}

/** A review: "Reaffirmed, Mira: still the best". */
export function reviewInWords({ result, reviewer, note }: Schemas['DecisionReview']): string {
  const what = [t.reviewResult[result], reviewer.name].filter((part) => part !== null).join(', ');
  return note === null ? what : `${what}: ${note}`;
}
