import { type Decision, type DecisionCreate, newId } from '@waymark/contracts';
import { scoreDecision } from '@waymark/quality';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Additions, Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { checkLinks, linkQueue } from '../links/check-links.ts';
import { checkSize, newContent } from './decision-fields.ts';
import { logOutcome, subjectOf } from './events.ts';

/** Scores and stores a new decision, with its outcome when one is given. */
export async function createDecision(
  { store, commit, counts, now }: DecisionsContext,
  ctx: RequestContext,
  given: DecisionCreate,
): Promise<Decision> {
  const { workspaceId } = ctx.access;
  const { content, isLogged } = newContent(given);
  const qualityScore = scoreDecision(content).score;
  const actorId = String(ctx.actor.id);

  const create = (tx: Additions): Decision => {
    const at = new Date(now()).toISOString();
    const decision: Decision = {
      id: newId(),
      workspace_id: workspaceId,
      ...content,
      quality_score: qualityScore,
      version: 1,
      created_by: actorId,
      created_at: at,
      updated_at: at,
    };
    checkSize(decision);
    store.insert(decision, ctx.actor, tx);
    tx.emit('decision.created', { subject: subjectOf(decision), data: decision });
    if (isLogged) logOutcome(store, tx, decision, actorId);
    return decision;
  };
  const createLinked = async (tx: Transaction) => {
    const decision = create(tx);
    await checkLinks(store, null, decision, tx.session);
    return decision;
  };

  const isLinked = content.supersedes !== null || content.relates_to.length > 0;
  const created = isLinked
    ? commit(ctx, createLinked, linkQueue(workspaceId, content.supersedes))
    : commit.together(ctx, create);
  return created.finally(() => counts.forget(workspaceId));
}
