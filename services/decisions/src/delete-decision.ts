import type { RequestContext, ServiceRuntime } from '@waymark/service-kit';
import { subjectOf } from './events.ts';
import { checkVersion } from './find-decision.ts';
import type { DecisionStore } from './store.ts';

/** Deletes a decision with its outcomes and its history. */
export async function deleteDecision(
  { commit }: ServiceRuntime,
  store: DecisionStore,
  ctx: RequestContext,
  id: string,
): Promise<void> {
  await commit(ctx, async (tx) => {
    const deleted = await store.remove(ctx.access.workspaceId, id, tx.session);
    if (!deleted) throw await ctx.missing(await store.workspaceOf(id));
    checkVersion(ctx, deleted);
    // Above every version that an event has named: whoever gets an older one later knows that it is over.
    const subject = subjectOf({ id, version: deleted.version + 1 });
    tx.emit('decision.deleted', { subject, data: { id } });
  });
}
