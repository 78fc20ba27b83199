import type { RequestContext } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { DecisionStore } from '../store/index.ts';
import { subjectOf } from './events.ts';
import { checkVersion } from './find-decision.ts';

/** Deletes a decision with its outcomes and its history. */
export async function deleteDecision(
  { commit, now }: ServiceRuntime,
  store: DecisionStore,
  ctx: RequestContext,
  id: string,
): Promise<void> {
  await commit(ctx, async (tx) => {
    const { workspaceId } = ctx.access;
    const deleted = await store.remove(workspaceId, id, tx);
    if (!deleted) throw await ctx.missing(await store.workspaceOf(id));
    checkVersion(ctx, deleted);
    // Above every version that an event has named: whoever gets an older one later knows that it is over.
    const version = deleted.version + 1;
    await store.bury({ id, workspace_id: workspaceId, version }, now(), tx.session);
    const subject = subjectOf({ id, version });
    tx.emit('decision.deleted', { subject, data: { id } });
  });
}
