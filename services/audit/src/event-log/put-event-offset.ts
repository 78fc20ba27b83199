import { type EventOffset, invalid } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { EventLog } from './event-log.ts';

/** Stores the number of the last event that a program has read. Throws VALIDATION_ERROR, LIMIT_EXCEEDED. */
export async function putEventOffset(
  { store, now }: Pick<EventLog, 'store' | 'now'>,
  ctx: RequestContext,
  { name, number }: Pick<EventOffset, 'name' | 'number'>,
): Promise<EventOffset> {
  const { workspaceId } = ctx.access;
  const newest = await store.newestEvent(workspaceId);
  if (number > newest) throw invalid('number', `must be at most ${newest}, the number of the newest event`);
  const offset = { name, number, updated_at: new Date(now()).toISOString() };
  await store.putOffset(workspaceId, offset);
  return offset;
}
