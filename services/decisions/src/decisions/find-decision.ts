import { ApiError, type Decision } from '@waymark/contracts';
import { matches, type RequestContext } from '@waymark/service-kit/http';
import type { DecisionStore, Session } from '../store/index.ts';

/** The decision with this id in the caller's workspace. Throws NOT_FOUND, or the refusal for the workspace it is in. */
export async function findDecision(
  store: DecisionStore,
  ctx: RequestContext,
  id: string,
  session?: Session,
): Promise<Decision> {
  const decision = await store.find(ctx.access.workspaceId, id, session);
  if (!decision) throw await ctx.missing(await store.workspaceOf(id));
  return decision;
}

/** Throws PRECONDITION_FAILED when the caller sent If-Match and means another version. */
export function checkVersion(ctx: RequestContext, { version }: Decision): void {
  if (ctx.ifMatch !== undefined && !matches(ctx.ifMatch, `"v${version}"`))
    throw new ApiError('PRECONDITION_FAILED');
}
