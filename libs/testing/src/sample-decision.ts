import { type Decision, newId } from '@waymark/contracts';

/** A decision that says nothing but its title, and what a test gives it. */
export function sampleDecision(given: Partial<Decision> = {}): Decision {
  const created_at = given.created_at ?? '2026-01-02T03:04:05.678Z';
  return {
    id: newId(),
    workspace_id: newId(),
    title: 'Use PostgreSQL',
    question: null,
    description: '',
    status: 'proposed',
    resolution: null,
    rationale: null,
    options_considered: [],
    criteria: [],
    decision_type: null,
    tags: [],
    expected_by: null,
    decided_by: null,
    outcome: 'pending',
    outcome_notes: null,
    outcome_confidence: null,
    outcome_confidence_kind: null,
    supersedes: null,
    relates_to: [],
    quality_score: 0,
    version: 1,
    created_by: newId(),
    created_at,
    updated_at: created_at,
    ...given,
  };
}
