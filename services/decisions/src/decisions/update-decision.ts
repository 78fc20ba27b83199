import {
  type AuditAction,
  type Changes,
  changesText,
  type Decision,
  type DecisionUpdate,
  type QualityModel,
} from '@waymark/contracts';
import { scoreDecision } from '@waymark/quality';
import { checkExternalId, type RequestContext, requireMatch } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import { checkApprovals } from '../approvals/check-approvals.ts';
import { voidApprovals } from '../approvals/void-approvals.ts';
import { writerOf } from '../approvals/writer-of.ts';
import type { DecisionsContext } from '../context.ts';
import { checkLinks, linkQueue } from '../links/check-links.ts';
import type { DecisionStore } from '../store/index.ts';
import { checkPeople } from './check-people.ts';
import { changesOf, checkSize, givenFields } from './decision-fields.ts';
import { logOutcome, subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';
import { settleOutcome } from './outcome.ts';
import { settleReviewBy } from './review-dates.ts';

/** Changes only the given fields, so that concurrent changes of others are kept. Equal values do nothing. */
export async function updateDecision(
  service: DecisionsContext,
  ctx: RequestContext,
  id: string,
  given: DecisionUpdate,
): Promise<Decision> {
  const { store, commit } = service;
  const { workspaceId } = ctx.access;
  await checkPeople(service, workspaceId, given, () => store.find(workspaceId, id));
  const update = async (tx: Transaction) =>
    changeDecision(service, ctx, await findDecision(store, ctx, id, tx.session), given, tx);
  const queue = { queueKey: id, ...linkQueue(workspaceId, given.supersedes) };
  return commit(ctx, update, queue);
}

/** Stores the changes of a decision that `tx` has read, audited as `action` or as the operation. */
export async function changeDecision(
  service: DecisionsContext,
  ctx: RequestContext,
  before: Decision,
  given: DecisionUpdate & Partial<Pick<Decision, 'last_review'>>,
  tx: Transaction,
  action?: AuditAction,
): Promise<Decision> {
  const { store, now } = service;
  requireMatch(ctx, before);
  const outcome = settleOutcome(before, given, await hadOutcomeBefore(store, before, given, tx));
  const fields = { ...givenFields(given), ...outcome.fields };
  const review_by = settleReviewBy({ ...before, ...fields }, before.review_by, now());
  const changes = changesOf(before, { ...fields, review_by });
  if (Object.keys(changes).length === 0) return before;

  const after = applied(before, changes, new Date(now()).toISOString(), ctx.access.qualityModel);
  checkSize(after);
  await checkLinks(store, before, after, tx.session);
  await checkExternalId('decision', store.findByExternalId, { before, after }, tx.session);
  await checkApprovals(service, before, after, tx.session);
  const isNewText = changesText(changes);
  const by = { actor: ctx.actor, text_by: isNewText ? writerOf(ctx) : undefined };
  await store.update(before, after, changes, by, tx.session);
  tx.emit('decision.updated', { subject: subjectOf(after), data: after, changes, ...(action && { action }) });
  if (isNewText) await voidApprovals(store, after, tx);
  if (outcome.isLogged) logOutcome(store, tx, after, String(ctx.actor.id));
  return after;
}

/** Asks the store whether an outcome was ever logged only if a pending decision's confidence would change. */
async function hadOutcomeBefore(
  store: DecisionStore,
  before: Decision,
  { outcome_confidence }: DecisionUpdate,
  tx: Transaction,
): Promise<boolean> {
  if (before.outcome !== 'pending') return true;
  if (outcome_confidence === undefined || outcome_confidence === before.outcome_confidence) return false;
  return store.hasOutcome(before.workspace_id, before.id, tx.session);
}

function applied(before: Decision, changes: Changes, at: string, model: QualityModel): Decision {
  const values = Object.fromEntries(Object.entries(changes).map(([field, { after }]) => [field, after]));
  const after = { ...before, ...values, version: before.version + 1, updated_at: at } as Decision;
  return { ...after, quality_score: scoreDecision(after, { model }).score, quality_model: model };
}
