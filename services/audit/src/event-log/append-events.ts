import { type EventEnvelope, limits, MEBIBYTE } from '@waymark/contracts';
import { createBatcher } from '@waymark/service-kit/jobs';
import { isFaultOfOne, type WorkspacePurge } from '@waymark/service-kit/store';
import { uniqueByTime } from '../heads/append-drafts.ts';
import type { EventLogStore, EventRecord } from '../store/event-log.ts';

type LoggedRecord = Omit<EventRecord, 'number'>;

/** A single event is appended at once. Under load, the events of this interval share one transaction. */
const GATHER = { ms: 100, items: 250 };
const TRANSACTION_BYTES = 8 * MEBIBYTE;
/** The size of an event without its data. */
const EVENT_BYTES = 1_024;
const KEPT_MS = limits.eventLogDays * 86_400_000;

/** Returns the function that appends an event to the log of its workspace, once. */
export function createLogAppender(options: {
  store: Pick<EventLogStore, 'appendEvents'>;
  workspaces: Pick<WorkspacePurge, 'deletedAmong'>;
  announce: (workspaceIds: readonly string[]) => void;
  now: () => number;
}): (event: EventEnvelope) => Promise<void> {
  const { store, workspaces, announce, now } = options;

  async function run(batch: LoggedRecord[]): Promise<void> {
    const deleted = await workspaces.deletedAmong([
      ...new Set(batch.map(({ workspace_id }) => workspace_id)),
    ]);
    const left = batch.filter(({ workspace_id }) => !deleted.has(workspace_id));
    const live = uniqueByTime(left, ({ _id }) => _id);
    if (live.length === 0) return;
    await store.appendEvents(live);
    announce([...new Set(live.map(({ workspace_id }) => workspace_id))]);
  }

  const batcher = createBatcher<LoggedRecord>({
    run,
    maxSize: TRANSACTION_BYTES,
    sizeOf: ({ data }) => EVENT_BYTES + (data?.length ?? 0),
    gather: { ms: GATHER.ms, items: () => GATHER.items },
    isFaultOfOne,
  });

  return async (event) => {
    const { id: _id, type, workspace_id, time, request_id, data } = event;
    if (workspace_id === null) return;
    // The log may have had the event and removed it, so it cannot recognise a duplicate.
    if (Date.parse(time) < now() - KEPT_MS) return;
    const { type: kind, id, version } = event.subject;
    await batcher.add({
      _id,
      workspace_id,
      type,
      created_at: time,
      actor: { type: event.actor.type, id: event.actor.id, name: event.actor.name },
      subject: { type: kind, id, version },
      request_id,
      data: JSON.stringify(data),
      logged_at: new Date(now()),
    });
  };
}
