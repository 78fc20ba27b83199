import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { subjectOf } from './events.ts';
import { checkVersion } from './find-decision.ts';

/** Deletes a decision with its outcomes and its history. */
export async function deleteDecision(
  { store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
): Promise<undefined> {
  const { workspaceId } = ctx.access;
  const remove = async ({ session, emit }: Transaction) => {
    const decision = await store.remove(workspaceId, id, session);
    if (!decision) throw await ctx.missing(await store.workspaceOf(id));
    checkVersion(ctx, decision);
    // Above the version of every earlier event: consumers that receive one of those late ignore it.
    const version = decision.version + 1;
    await store.insertTombstone({ id, workspace_id: workspaceId, version }, now(), session);
    emit('decision.deleted', { subject: subjectOf({ id, version }), data: { id } });
  };
  await commit(ctx, remove, { queueKey: id });
}
