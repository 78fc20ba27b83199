import { type Changes, type Decision, type DecisionUpdate, newId } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { checkLinks, linkQueue } from '../links/check-links.ts';
import { scoreDecision } from '../quality/scoring.ts';
import type { DecisionStore } from '../store/index.ts';
import { changesOf, checkSize, givenFields } from './decision-fields.ts';
import { emitOutcome, subjectOf } from './events.ts';
import { checkVersion, findDecision } from './find-decision.ts';
import { outcomeRecord, settleOutcome } from './outcome.ts';

/**
 * Changes the given fields and nothing else, so that concurrent changes of different fields are all kept. A
 * request that changes no value makes no version, no event and no audit entry.
 */
export async function updateDecision(
  { store, commit, counts, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
  given: DecisionUpdate,
): Promise<Decision> {
  const { workspaceId } = ctx.access;
  const update = async (tx: Transaction) => {
    const before = await findDecision(store, ctx, id, tx.session);
    checkVersion(ctx, before);
    const hadOutcome = await hadOutcomeBefore(store, before, given, tx);
    const outcome = settleOutcome(before, given, hadOutcome);
    const changes = changesOf(before, { ...givenFields(given), ...outcome.fields });
    if (Object.keys(changes).length === 0) return before;

    const after = applied(before, changes, new Date(now()).toISOString());
    checkSize(after);
    await checkLinks(store, before, after, tx.session);
    await store.update(before, after, Object.keys(changes), tx.session);
    await store.insertHistory(
      {
        id: newId(),
        workspace_id: after.workspace_id,
        decision_id: id,
        version: after.version,
        action: 'update',
        actor: { type: ctx.actor.type, id: ctx.actor.id, name: ctx.actor.name },
        changes,
        created_at: after.updated_at,
      },
      tx.session,
    );
    tx.emit('decision.updated', { subject: subjectOf(after), data: after, changes });
    if (outcome.isLogged) {
      const record = outcomeRecord(after, String(ctx.actor.id));
      store.insertOutcome(record, tx);
      emitOutcome(tx, after, record);
    }
    return after;
  };
  const updated = commit(ctx, update, linkQueue(workspaceId, given.supersedes));
  return updated.finally(() => counts.forget(workspaceId));
}

/**
 * Whether an outcome was ever logged. Asks the store only if the confidence of a pending decision would
 * change.
 */
async function hadOutcomeBefore(
  store: DecisionStore,
  before: Decision,
  given: DecisionUpdate,
  tx: Transaction,
): Promise<boolean> {
  if (before.outcome !== 'pending') return true;
  if (given.outcome_confidence === undefined || given.outcome_confidence === before.outcome_confidence)
    return false;
  return store.hasOutcome(before.workspace_id, before.id, tx.session);
}

function applied(before: Decision, changes: Changes, at: string): Decision {
  const values = Object.fromEntries(Object.entries(changes).map(([field, { after }]) => [field, after]));
  const after = { ...before, ...values, version: before.version + 1, updated_at: at } as Decision;
  return { ...after, quality_score: scoreDecision(after).score };
}
