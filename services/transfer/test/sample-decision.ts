import type { Decision } from '@waymark/contracts';

/** A decision that says nothing but its title, and what a test gives it. */
export function sampleDecision(fields: Partial<Decision> = {}): Decision {
  return {
    id: '0199f3a4-0000-7000-8000-000000000001',
    workspace_id: '0199f3a4-0000-7000-8000-000000000002',
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
    created_by: '0199f3a4-0000-7000-8000-000000000003',
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-02-03T04:05:06.789Z',
    ...fields,
  };
}
