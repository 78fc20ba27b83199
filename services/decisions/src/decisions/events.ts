import type { Decision, OutcomeRecord } from '@waymark/contracts';
import type { Additions } from '@waymark/service-kit/store';

/** The decision as the subject of an event. */
export function subjectOf({ id, version }: Pick<Decision, 'id' | 'version'>) {
  return { type: 'decision', id, version };
}

/** Tells of a logged outcome; a return to pending is kept as a record, and is no news to anyone. */
export function emitOutcome(tx: Additions, decision: Decision, outcome: OutcomeRecord): void {
  if (outcome.outcome === 'pending') return;
  tx.emit('decision.outcome_logged', { subject: subjectOf(decision), data: { decision, outcome } });
}
