import { ApiError } from '@waymark/contracts';
import type { RequestContext } from './request-context.ts';

/**
 * Authorizes the caller for a record that was found by its id alone. Throws NOT_FOUND without a record, the
 * refusal for its workspace, or `ctx.missing` if the request names another workspace.
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
