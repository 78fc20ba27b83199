import { events, isForReaders, limits, readsSettings } from '@waymark/contracts';
import { JsonText, type RequestContext, tenantsOf } from '@waymark/service-kit/http';
import type { EventPage, EventRecord } from '../store/event-log.ts';
import type { EventLog } from './event-log.ts';

interface Query {
  after?: number | undefined;
  limit?: number | undefined;
  wait?: number | undefined;
}

/**
 * Returns a page of the log, after waiting for an event if there is none. Throws POSITION_GONE, and as
 * `confirm` does.
 */
export async function listEventLog(
  log: Pick<EventLog, 'store' | 'waiters'>,
  ctx: RequestContext,
  { after, limit = limits.pageSize, wait = 0 }: Query,
): Promise<JsonText> {
  const read = (position: number | null) => log.store.readEvents(ctx.access.workspaceId, position, limit);
  let page = await read(after ?? null);
  if (page.events.length === 0 && wait > 0) {
    page = await waitForEvent(log, ctx, { page, read, wait });
    // The caller may have lost rights meanwhile.
    if (page.events.length > 0) await ctx.confirm();
  }
  return asJson(page, ctx);
}

/** Reads the log again whenever it has grown, and once more when the wait ends. */
async function waitForEvent(
  { waiters }: Pick<EventLog, 'waiters'>,
  ctx: RequestContext,
  { page, read, wait }: { page: EventPage; read: (after: number) => Promise<EventPage>; wait: number },
): Promise<EventPage> {
  const { workspaceId } = ctx.access;
  // The page that ends the wait has what arrived meanwhile.
  ctx.leaveEarly();
  const leave = waiters.enter(tenantsOf(ctx.principal, ctx.clientAddress));
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, wait * 1_000);
  ctx.gone().addEventListener('abort', end);
  try {
    for (;;) {
      const isLast = over.signal.aborted || waiters.isStopped();
      // Subscribe before the reading, so that no event is missed between the two.
      const growth = waiters.growth(workspaceId, over.signal);
      const next = await read(page.nextAfter);
      if (next.events.length > 0 || isLast) return next;
      await growth;
    }
  } finally {
    clearTimeout(timer);
    over.abort();
    leave();
  }
}

function asJson({ events: page, nextAfter, newest }: EventPage, ctx: RequestContext): JsonText {
  const isWhole = readsSettings(ctx.access.role);
  const rows = page.map((event) => eventJson(event, isWhole || mayRead(event)));
  return new JsonText(`{"data":[${rows.join(',')}],"next_after":${nextAfter},"newest":${newest}}`);
}

/** Excludes types that only a newer version of the service knows. */
const mayRead = ({ type }: EventRecord) => type in events && isForReaders(type);

/** An event as JSON; a caller who may not see it whole gets it without the data. */
function eventJson({ _id: id, logged_at: _, data, ...event }: EventRecord, isWhole: boolean): string {
  const fields = JSON.stringify({ id, ...event });
  return `${fields.slice(0, -1)},"data":${isWhole && data !== null ? data : 'null'}}`;
}
