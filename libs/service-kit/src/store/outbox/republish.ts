import { firstIdAt } from '@waymark/contracts';
import type { Collection } from 'mongodb';
import { ensureEventStream } from '../../events/event-stream.ts';
import type { Nats } from '../../events/nats.ts';
import type { Database } from '../database.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { OUTBOX_META, type OutboxRow } from './outbox-row.ts';

/** Events younger than this may be lost when NATS comes back after an outage. */
const REPUBLISH_MS = 10 * 60_000;

/**
 * Republishes, once after each connect, the events that an outage of NATS may have lost: the latest ones, or
 * all stored ones when the stream is new. The returned function does nothing once that is done.
 */
export function republisher(options: {
  database: Database;
  rows: Collection<OutboxRow>;
  publisher: OutboxPublisher;
  nats: Nats;
  prefix: string;
  streamReplicas: number;
  now: () => number;
}): (stopping: AbortSignal) => Promise<void> {
  const { database, rows, publisher, nats, now } = options;
  const meta = database.collection<{ _id: string; stream_created: string }>(OUTBOX_META);
  let connects = 0;
  let doneConnects = 0;
  nats.onConnect(() => {
    connects += 1;
  });

  /** Returns false when an event could not be published. */
  async function republishSince(sinceMs: number, stopping: AbortSignal): Promise<boolean> {
    const cursor = rows.find({ _id: { $gte: firstIdAt(sinceMs) } }).sort({ _id: 1 });
    for await (const row of cursor) {
      if (stopping.aborted || !(await publisher.send(row, 'republish'))) return false;
    }
    return true;
  }

  return async (stopping) => {
    if (doneConnects === connects || !database.isReady() || !nats.connection()) return;
    const connect = connects;
    const created = await ensureEventStream(nats, options.prefix, options.streamReplicas);
    const known = await meta.findOne({ _id: 'stream' });
    const isNew = known?.stream_created !== created;
    if (!(await republishSince(isNew ? 0 : now() - REPUBLISH_MS, stopping))) return;
    if (isNew)
      await meta.updateOne({ _id: 'stream' }, { $set: { stream_created: created } }, { upsert: true });
    doneConnects = connect;
  };
}
