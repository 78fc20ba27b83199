import { type Decision, decisionDefaults, newId } from '@waymark/contracts';

/** Returns a decision with a title and the fields that a test sets. */
export function sampleDecision(given: Partial<Decision> = {}): Decision {
  const created_at = given.created_at ?? '2026-01-02T03:04:05.678Z';
  return {
    id: newId(),
    workspace_id: newId(),
    title: 'Use PostgreSQL',
    ...(decisionDefaults as Omit<Decision, 'id' | 'workspace_id' | 'title'>),
    quality_score: 0,
    version: 1,
    created_by: newId(),
    created_at,
    updated_at: created_at,
    ...given,
  };
}
