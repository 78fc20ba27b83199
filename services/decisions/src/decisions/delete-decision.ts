import { type RequestContext, requireMatch } from '@waymark/service-kit/http';
import { changesBetween, type Transaction, trashEntry, trashRoot } from '@waymark/service-kit/store';
import type { DecisionsContext } from '../context.ts';
import { subjectOf } from './events.ts';

/** Moves a decision with its outcomes and its history to the trash. */
export async function deleteDecision(
  { store, commit, now }: DecisionsContext,
  ctx: RequestContext,
  id: string,
): Promise<undefined> {
  const { workspaceId } = ctx.access;
  const remove = async ({ session, emit }: Transaction) => {
    const removed = await store.remove(workspaceId, id, session);
    if (!removed) throw await ctx.missing(await store.workspaceOf(id));
    const { decision, documents } = removed;
    requireMatch(ctx, decision);
    // Above the version of every earlier event: consumers that receive one of those late ignore it.
    const version = decision.version + 1;
    const atMs = now();
    await store.insertTombstone({ id, workspace_id: workspaceId, version }, atMs, session);
    const entry = trashEntry('decision', decision, { at: new Date(atMs).toISOString(), by: ctx.actor });
    await store.trash.put(
      workspaceId,
      [{ root: trashRoot('decision', id), entry, documents }],
      atMs,
      session,
    );
    emit('decision.deleted', {
      subject: subjectOf({ id, version }),
      data: { id },
      // The audit log names the decision by its title, which no other service keeps.
      changes: changesBetween(decision, null, ['title']),
    });
  };
  await commit(ctx, remove, { queueKey: id });
}
