import { type Decision, type DecisionCreate, keyOwner, newId } from '@waymark/contracts';
import { scoreDecision } from '@waymark/quality';
import { checkExternalId, type RequestContext } from '@waymark/service-kit/http';
import type { Additions, Transaction } from '@waymark/service-kit/store';
import { checkApprovals } from '../approvals/check-approvals.ts';
import { writerOf } from '../approvals/writer-of.ts';
import type { DecisionsContext } from '../context.ts';
import { checkLinks, linkQueue } from '../links/check-links.ts';
import { checkPeople } from './check-people.ts';
import { checkSize, newContent } from './decision-fields.ts';
import { logOutcome, subjectOf } from './events.ts';
import { settleReviewBy } from './review-dates.ts';

/** Scores and stores a new decision, with its outcome when one is given. */
export async function createDecision(
  service: DecisionsContext,
  ctx: RequestContext,
  given: DecisionCreate,
): Promise<Decision> {
  const { commit, commitGrouped } = service;
  const { workspaceId } = ctx.access;
  const created = newContent(given);
  const { content } = created;
  await checkPeople(service, workspaceId, content);
  const create = addDecision(service, ctx, created);
  const isChecked =
    content.supersedes !== null ||
    content.relates_to.length > 0 ||
    content.external_id !== null ||
    (content.status === 'accepted' && (await service.store.approvals.rules(workspaceId)).rules.length > 0);
  const createChecked = (tx: Transaction) => checkedDecision(service, create(tx), tx);
  return isChecked
    ? commit(ctx, createChecked, linkQueue(workspaceId, content.supersedes))
    : commitGrouped(ctx, create);
}

/** Returns the function that adds the decision to a transaction. */
export function addDecision(
  { store, now }: DecisionsContext,
  ctx: RequestContext,
  { content, isLogged }: ReturnType<typeof newContent>,
): (tx: Additions) => Decision {
  const { qualityModel: model, workspaceId } = ctx.access;
  const { score } = scoreDecision(content, { model });
  const actorId = String(ctx.actor.id);
  return (tx) => {
    const at = new Date(now()).toISOString();
    const decision: Decision = {
      id: newId(),
      workspace_id: workspaceId,
      ...content,
      review_by: settleReviewBy(content, null, now()),
      quality_score: score,
      quality_model: model,
      version: 1,
      created_by: actorId,
      created_by_person: keyOwner(ctx.principal),
      created_at: at,
      updated_at: at,
    };
    checkSize(decision);
    store.insert(decision, ctx.actor, writerOf(ctx), tx);
    const data = decision;
    tx.emit('decision.created', { subject: subjectOf(decision), data, action: 'decision.create' });
    if (isLogged) logOutcome(store, tx, decision, actorId);
    return decision;
  };
}

/** Checks a new decision. Throws as `checkLinks`, `checkExternalId` and `checkApprovals` do. */
export async function checkedDecision(
  service: DecisionsContext,
  decision: Decision,
  { session }: Transaction,
): Promise<Decision> {
  await checkLinks(service.store, null, decision, session);
  const { findByExternalId } = service.store;
  await checkExternalId('decision', findByExternalId, { before: null, after: decision }, session);
  await checkApprovals(service, null, decision, session);
  return decision;
}
