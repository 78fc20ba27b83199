import { type Decision, type DecisionCreate, newId } from '@waymark/contracts';
import type { RequestContext, ServiceRuntime } from '@waymark/service-kit';
import { checkLinks } from './check-links.ts';
import { checkSize, contentOf } from './decision-fields.ts';
import { emitOutcome, subjectOf } from './events.ts';
import { outcomeRecord, settleOutcome, unknownOutcome } from './outcome.ts';
import { scoreDecision } from './scoring.ts';
import type { DecisionStore } from './store.ts';

/** Scores and stores a new decision, with its outcome when it has one already. */
export function createDecision(
  { commit, now }: ServiceRuntime,
  store: DecisionStore,
  ctx: RequestContext,
  given: DecisionCreate,
): Promise<Decision> {
  const { fields, isLogged } = settleOutcome(unknownOutcome, given, false);
  const content = { ...contentOf(given), ...fields };
  const qualityScore = scoreDecision(content).score;
  const actorId = String(ctx.actor.id);

  return commit(ctx, async (tx) => {
    const at = new Date(now()).toISOString();
    const decision: Decision = {
      id: newId(),
      workspace_id: ctx.access.workspaceId,
      ...content,
      quality_score: qualityScore,
      version: 1,
      created_by: actorId,
      created_at: at,
      updated_at: at,
    };
    checkSize(decision);
    await checkLinks(store, null, decision, tx.session);
    await store.insert(decision, ctx.actor, tx.session);
    tx.emit('decision.created', { subject: subjectOf(decision), data: decision });
    if (isLogged) {
      const outcome = outcomeRecord(decision, actorId);
      await store.insertOutcome(outcome, tx.session);
      emitOutcome(tx, decision, outcome);
    }
    return decision;
  });
}
