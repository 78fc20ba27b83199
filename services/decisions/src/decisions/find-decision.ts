import { ApiError, type Decision } from '@waymark/contracts';
import { matches, type RequestContext } from '@waymark/service-kit/http';
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

/** Throws PRECONDITION_FAILED when the request names another version in If-Match. */
export function checkVersion(ctx: RequestContext, { version }: Decision): void {
  if (ctx.ifMatch !== undefined && !matches(ctx.ifMatch, `"v${version}"`))
    throw new ApiError('PRECONDITION_FAILED');
}
