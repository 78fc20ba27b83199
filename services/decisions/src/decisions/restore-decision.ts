import { ApiError, type Decision, decisionDefaults } from '@waymark/contracts';
import { checkExternalId, type RequestContext } from '@waymark/service-kit/http';
import { fromDocument, type Stored, type Transaction, trashRoot } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { checkLinks } from '../links/check-links.ts';
import { DECISIONS } from '../store/collections.ts';
import { subjectOf } from './events.ts';
import { findDecision } from './find-decision.ts';

/**
 * Takes a decision out of the trash with all that was deleted with it. Returns one that exists as it is.
 * Throws CONFLICT when its external id is taken or it would supersede itself through later decisions.
 */
export async function restoreDecision(
  { store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
): Promise<Decision> {
  const { workspaceId } = ctx.access;
  const restore = async ({ session, emit }: Transaction) => {
    const trashed = await store.trash.take(workspaceId, trashRoot('decision', id), session);
    if (!trashed) return findDecision(store, ctx, id, session);
    if (await store.workspaceOf(id, session)) throw new ApiError('CONFLICT', { message: 'The id is taken.' });
    const { version } = trashed.entry!;
    const [removed] = trashed.documents[DECISIONS] as Stored<Decision>[];
    await checkConflicts(fromDocument<Decision>(removed!, decisionDefaults), session);
    const restored = { version: version + 1, updated_at: new Date(now()).toISOString() };
    await store.insertAgain(trashed.documents, restored, session);
    const decision = await findDecision(store, ctx, id, session);
    await store.restore(workspaceId, [decision], session);
    emit('decision.created', { subject: subjectOf(decision), data: decision });
    emit('decisions.restored', { subject: subjectOf(decision), data: { decisions: [{ id, version }] } });
    return decision;
  };

  async function checkConflicts(decision: Decision, session: Transaction['session']): Promise<void> {
    await checkExternalId('decision', store.findByExternalId, { before: null, after: decision }, session);
    const { supersedes } = decision;
    // A link to a decision that was deleted meanwhile stays, as it does in other decisions.
    const isLinked = supersedes && (await store.pick(workspaceId, [supersedes], session)).length > 0;
    if (isLinked) await checkLinks(store, { ...decision, supersedes: null }, decision, session);
  }

  return commit(ctx, restore, { queueKey: id });
}
