import { ApiError } from '@waymark/contracts';
import type { RequestContext } from './request-context.ts';

/**
 * Lets the caller at a stored record, found by its id alone. Throws NOT_FOUND when there is none, the refusal
 * for its workspace, and when the request names another workspace (`named`) the refusal for that one, or
 * NOT_FOUND.
 */
export async function authorizeRecord<T extends { workspace_id: string }>(
  ctx: RequestContext,
  record: T | null,
  named?: string,
): Promise<T> {
  if (!record) throw new ApiError('NOT_FOUND');
  await ctx.authorize(record.workspace_id);
  if (named !== undefined && named !== record.workspace_id) throw await ctx.missing(named);
  return record;
}
