import type { Decision } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Transaction } from '@waymark/service-kit/store';
import type { DecisionStore } from '../store/index.ts';

/** Returns a decision of the caller's workspace. Throws NOT_FOUND, or the refusal for another workspace. */
export async function findDecision(
  store: DecisionStore,
  ctx: RequestContext,
  id: string,
  session?: Transaction['session'],
): Promise<Decision> {
  const decision = await store.find(ctx.access.workspaceId, id, session);
  if (!decision) throw await ctx.missing(await store.workspaceOf(id));
  return decision;
}
