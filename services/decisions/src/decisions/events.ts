import type { Decision, OutcomeRecord } from '@waymark/contracts';
import type { Additions } from '@waymark/service-kit/store';

/** Returns the subject of an event about a decision. */
export function subjectOf({ id, version }: Pick<Decision, 'id' | 'version'>) {
  return { type: 'decision', id, version };
}

/** Emits the event of a logged outcome. A return to pending is recorded, but makes no event. */
export function emitOutcome(tx: Additions, decision: Decision, outcome: OutcomeRecord): void {
  if (outcome.outcome === 'pending') return;
  tx.emit('decision.outcome_logged', { subject: subjectOf(decision), data: { decision, outcome } });
}
