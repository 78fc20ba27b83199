import {
  ApiError,
  type Decision,
  type DecisionReview,
  type DecisionReviewCreate,
  invalid,
} from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { linkQueue } from '../links/check-links.ts';
import { subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';
import { monthsAfter } from './review-dates.ts';
import { changeDecision } from './update-decision.ts';

/** Records a review as a version of the decision, and sets the date of the next one. */
export function createDecisionReview(
  service: DecisionsContext,
  ctx: RequestContext,
  id: string,
  given: DecisionReviewCreate,
): Promise<Decision> {
  const { store, commit, now } = service;
  const { type, id: actorId, name } = ctx.actor;
  const { result, note, superseded_by } = given;
  const review = async (tx: Transaction) => {
    const before = await findDecision(store, ctx, id, tx.session);
    if (before.status !== 'accepted') {
      const message = `Only an accepted decision can be reviewed; this one is ${before.status}.`;
      throw new ApiError('CONFLICT', { message });
    }
    const at = now();
    const last_review: DecisionReview = {
      result,
      note: note || null,
      reviewer: { type, id: actorId, name },
      reviewed_at: new Date(at).toISOString(),
    };
    const months = before.review_every_months;
    const next = superseded_by
      ? { status: 'archived' as const, review_by: null }
      : { review_by: months === null ? null : monthsAfter(at, months) };
    const decision = await changeDecision(service, ctx, before, { ...next, last_review }, tx);
    tx.emit('decision.reviewed', { subject: subjectOf(decision), data: { decision, review: last_review } });
    if (superseded_by) await supersede(service, ctx, decision, superseded_by, tx);
    return decision;
  };
  return commit(ctx, review, { queueKey: id, ...linkQueue(ctx.access.workspaceId, superseded_by) });
}

/** Links the decision that replaces another one. Throws CONFLICT if it replaces a third one. */
async function supersede(
  service: DecisionsContext,
  ctx: RequestContext,
  { id }: Decision,
  successorId: string,
  tx: Transaction,
): Promise<void> {
  const { store } = service;
  const successor = await store.find(ctx.access.workspaceId, successorId, tx.session);
  if (!successor) throw invalid('supersededBy', 'is not a decision of this workspace');
  if (successorId === id) throw invalid('supersededBy', 'is the decision itself; name another one');
  if (successor.supersedes !== null && successor.supersedes !== id) {
    const message = `The decision ${successorId} supersedes another one already. Name one that supersedes none.`;
    throw new ApiError('CONFLICT', { message });
  }
  // The conditions are about the reviewed decision.
  const unconditional = { ...ctx, ifMatch: undefined, ifNoneMatch: undefined };
  await changeDecision(service, unconditional, successor, { supersedes: id }, tx, 'decision.update');
}
