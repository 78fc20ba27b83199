import type { Schemas } from '@waymark/client/api';

export type Decision = Schemas['Decision'];
export type Status = Decision['status'];
export type Outcome = Decision['outcome'];

export const STATUSES: Status[] = ['proposed', 'accepted', 'rejected', 'archived'];
export const OUTCOMES: Outcome[] = ['pending', 'success', 'partial', 'failure', 'abandoned'];

export const STATUS_COLORS: Record<Status, string> = {
  proposed: 'blue',
  accepted: 'teal',
  rejected: 'red',
  archived: 'gray',
};

export const OUTCOME_COLORS: Record<Outcome, string> = {
  pending: 'gray',
  success: 'teal',
  partial: 'yellow',
  failure: 'red',
  abandoned: 'orange',
};

const FIELDS: Record<string, string> = {
  title: 'Title',
  question: 'Question',
  description: 'Description',
  status: 'Status',
  resolution: 'Resolution',
  rationale: 'Rationale',
  options_considered: 'Options',
  criteria: 'Criteria',
  decision_type: 'Type',
  tags: 'Tags',
  expected_by: 'Outcome expected by',
  decided_by: 'Decided by',
  outcome: 'Outcome',
  outcome_notes: 'Notes on the outcome',
  outcome_confidence: 'Confidence',
  outcome_confidence_kind: 'Kind of confidence',
  supersedes: 'Supersedes',
  relates_to: 'Relates to',
  quality_score: 'Quality score',
};

/** A field of a decision as a person calls it. */
export function fieldName(field: string): string {
  return FIELDS[field] ?? field;
}

/** What still waits for its outcome after the day on which it was expected. */
export function isOverdue({ outcome, status, expected_by }: Decision): boolean {
  const isOpen = outcome === 'pending' && (status === 'proposed' || status === 'accepted');
  return isOpen && expected_by !== null && new Date(expected_by) < new Date();
}
