import { firstIdAt } from '@waymark/contracts';
import { ensureEventStream } from '../../events/event-stream.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { OUTBOX_META, type OutboxContext } from './outbox-row.ts';

/** Events younger than this may be lost when NATS comes back after an outage. */
const REPUBLISH_MS = 10 * 60_000;

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
    const since = firstIdAt(isNew ? 0 : now() - REPUBLISH_MS);
    for await (const row of rows.find({ _id: { $gte: since } }).sort({ _id: 1 }))
      if (stopping.aborted || !(await publisher.send(row, 'republish'))) return;
    if (isNew)
      await meta.updateOne({ _id: 'stream' }, { $set: { stream_created: created } }, { upsert: true });
    doneConnects = connect;
  };
}
