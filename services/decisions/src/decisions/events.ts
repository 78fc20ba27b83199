import { type Decision, newId, type OutcomeRecord } from '@waymark/contracts';
import type { Additions } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';

/** Returns the subject of an event about a decision. */
export function subjectOf({ id, version }: Pick<Decision, 'id' | 'version'>) {
  return { type: 'decision' as const, id, version };
}

/** Records the outcome of a decision. A return to pending is recorded, but makes no event. */
export function logOutcome(store: DecisionStore, tx: Additions, decision: Decision, loggedBy: string): void {
  const outcome: OutcomeRecord = {
    id: newId(),
    workspace_id: decision.workspace_id,
    decision_id: decision.id,
    outcome: decision.outcome,
    notes: decision.outcome_notes,
    confidence: decision.outcome_confidence,
    confidence_kind: decision.outcome_confidence_kind,
    logged_by: loggedBy,
    imported_by: null,
    logged_at: decision.updated_at,
  };
  store.insertOutcome(outcome, tx);
  if (outcome.outcome === 'pending') return;
  tx.emit('decision.outcome_logged', { subject: subjectOf(decision), data: { decision, outcome } });
}
