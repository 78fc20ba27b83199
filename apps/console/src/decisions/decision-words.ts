import type { Schemas } from '@waymark/client/api';

export type Decision = Schemas['Decision'];
export type Status = Decision['status'];
export type Outcome = Decision['outcome'];

export const STATUSES: Status[] = ['proposed', 'accepted', 'rejected', 'archived'];
export const OUTCOMES: Outcome[] = ['pending', 'success', 'partial', 'failure', 'abandoned'];

/** The colour of a score, or of a share of its points: low, middle, high. */
export const scaleColor = (percent: number): string =>
  percent < 40 ? 'red' : percent < 70 ? 'yellow' : 'teal';

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

const DAY_MS = 86_400_000;

/** Whether the review of an accepted decision is due, or will be within some days. */
export const isReviewDue = ({ status, review_by }: Decision, aheadDays = 0): boolean =>
  status === 'accepted' && review_by !== null && Date.parse(review_by) < Date.now() + aheadDays * DAY_MS;

/** Whether the outcome is still pending after its expected date. */
export function isOverdue({ outcome, status, expected_by }: Decision): boolean {
  const isOpen = outcome === 'pending' && (status === 'proposed' || status === 'accepted');
  return isOpen && expected_by !== null && new Date(expected_by) < new Date();
}
