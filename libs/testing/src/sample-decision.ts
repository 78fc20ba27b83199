import { type Decision, decisionDefaults, newId } from '@waymark/contracts';

/** A decision that says nothing but its title, and what a test gives it. */
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
