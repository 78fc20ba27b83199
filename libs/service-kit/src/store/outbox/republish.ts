import { firstIdAt } from '@waymark/contracts';
import { ensureEventStream } from '../../events/event-stream.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { OUTBOX_META, type OutboxContext } from './outbox-row.ts';
import { rowsInParts } from './prune.ts';

/** Events that were published since may be lost when NATS comes back after an outage. */
const REPUBLISH_MS = 10 * 60_000;
/** How far the clock behind an id may be behind MongoDB's. Bounds how many rows are read, not published. */
const CLOCKS_APART_MS = 2 * 3_600_000;
/** NATS syncs the events of several requests at once: one by one, ten minutes of events could take longer. */
const ROWS_AT_ONCE = 100;
const IS_LATEST = {
  $expr: { $gte: [{ $ifNull: ['$published_at', '$$NOW'] }, { $subtract: ['$$NOW', REPUBLISH_MS] }] },
};

/**
 * Republishes, once after each connect, the events that an outage of NATS may have lost: the latest ones, or
 * all stored ones when the stream is new. The returned function does nothing once that is done.
 */
export function republisher(
  context: OutboxContext & { publisher: OutboxPublisher },
): (stopping: AbortSignal) => Promise<void> {
  const { database, rows, publisher, nats, now } = context;
  const meta = database.collection<{ _id: string; stream_created: string }>(OUTBOX_META);
  let connects = 0;
  let doneConnects = 0;
  nats.onConnect(() => {
    connects += 1;
  });

  return async (stopping) => {
    if (doneConnects === connects || !database.isReady() || !nats.connection()) return;
    const connect = connects;
    const created = await ensureEventStream(nats, context.prefix, context.streamReplicas);
    const known = await meta.findOne({ _id: 'stream' });
    const isNew = known?.stream_created !== created;
    const since = { _id: { $gte: firstIdAt(isNew ? 0 : now() - REPUBLISH_MS - CLOCKS_APART_MS) } };
    // The time in the id counts too: MongoDB's clock may have been behind when it marked the row.
    const latest = { $or: [IS_LATEST, { _id: { $gte: firstIdAt(now() - REPUBLISH_MS) } }] };
    const filter = isNew ? since : { ...since, ...latest };
    for await (const batch of rowsInParts(rows, filter, ROWS_AT_ONCE)) {
      const sent = await Promise.all(batch.map((row) => publisher.send(row, 'republish')));
      if (stopping.aborted || sent.includes(false)) return;
    }
    if (isNew)
      await meta.updateOne({ _id: 'stream' }, { $set: { stream_created: created } }, { upsert: true });
    doneConnects = connect;
  };
}
