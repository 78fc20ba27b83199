import type { Decision } from '@waymark/contracts';

/** Returns the end of the same day of the month, in UTC, `months` later, or of that month's last day. */
export function monthsAfter(nowMs: number, months: number): string {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(now.getUTCDate(), lastDay);
  return new Date(Date.UTC(year, month, day, 23, 59, 59, 999)).toISOString();
}

type Reviewed = Pick<Decision, 'status' | 'review_by' | 'review_every_months'>;

/** Returns the `review_by` of a decision: an accepted one with an interval always has one. */
export function settleReviewBy(
  { status, review_by, review_every_months }: Reviewed,
  before: string | null,
  nowMs: number,
): string | null {
  if (review_by !== null || status !== 'accepted' || review_every_months === null) return review_by;
  return before ?? monthsAfter(nowMs, review_every_months);
}
