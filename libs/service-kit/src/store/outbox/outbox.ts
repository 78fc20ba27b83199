import { eventStream, firstIdAt } from '@waymark/contracts';
import type { ClientSession } from 'mongodb';
import { periodicTask } from '../../jobs/periodic-task.ts';
import { failureLog } from '../../process/failure-log.ts';
import { type OutboxPublisher, outboxPublisher } from './outbox-publisher.ts';
import {
  OUTBOX,
  type OutboxContext,
  type OutboxOptions,
  type OutboxRow,
  PENDING_INDEX,
} from './outbox-row.ts';
import { pruneOutbox } from './prune.ts';
import { republisher } from './republish.ts';
import { countWaiting, oldestWaiting } from './waiting-rows.ts';

export type Outbox = ReturnType<typeof createOutbox>;

const SWEEP_MS = 2_000;
/**
 * Rows with an id this close to now are still being published by the process that wrote them. Ids from the
 * future come from a clock that was ahead. A wrong guess publishes twice, and NATS deduplicates.
 */
const SWEEP_AGE_MS = 2_000;
const SWEEP_ROWS = 500;
const METRICS_TIMEOUT_MS = 1_000;

export function createOutbox(options: OutboxOptions) {
  const { database, nats, log } = options;
  const rows = database.collection<OutboxRow>(OUTBOX);
  /** When a sweep last left nothing, by ticks: the times in ids come from the clocks of other machines. */
  let sweptTicksMs = performance.now();
  const publisher = outboxPublisher({ ...options, rows });
  const context = { ...options, rows, publisher };

  const sweeper = periodicTask({
    everyMs: SWEEP_MS,
    async run(stopping) {
      if (!database.isReady() || !nats.connection()) return;
      void restorer.trigger();
      if (await sweep(context, stopping)) sweptTicksMs = performance.now();
    },
    ...failureLog(log, 'outbox sweep failed; it runs again'),
  });
  /** Has no schedule of its own: each sweep triggers it, and it does nothing once it is done. */
  const restorer = periodicTask({
    everyMs: SWEEP_MS,
    run: republisher(context),
    ...failureLog(log, 'republishing of events failed; it is retried soon'),
  });
  watchOutbox(context, () => (performance.now() - sweptTicksMs) / 1000);

  return {
    async insert(batch: readonly OutboxRow[], session: ClientSession): Promise<void> {
      await rows.insertMany(batch, { session });
    },
    /** Publishes in the background after the commit; the sweep publishes the rows that fail. */
    publish: publisher.publish,
    /** Deletes rows past their retention; `audited` returns the ids that the audit log has. */
    prune: (audited: (ids: string[]) => Promise<string[]>, stopping?: AbortSignal) =>
      pruneOutbox(context, audited, stopping),
    start() {
      sweeper.start();
      nats.onConnect(() => void sweeper.trigger());
    },
    async stop() {
      await Promise.all([sweeper.stop(), restorer.stop()]);
      await publisher.drain();
    },
  };
}

/** Publishes the rows that a crash or an outage left pending; returns false if some of them are left. */
async function sweep(
  { rows, publisher, invalidations, now }: OutboxContext & { publisher: OutboxPublisher },
  stopping: AbortSignal,
): Promise<boolean> {
  while (!stopping.aborted) {
    const nowMs = now();
    const underWay = { $gte: firstIdAt(nowMs - SWEEP_AGE_MS), $lte: firstIdAt(nowMs + SWEEP_AGE_MS) };
    // After a clock was set back, the index of ids would lead through all published rows from the future.
    const found = rows.find({ pending: true, _id: { $not: underWay } }, { hint: PENDING_INDEX });
    const left = await found.sort({ _id: 1 }).limit(SWEEP_ROWS).toArray();
    if (left.length === 0) return true;
    for (const { tags } of left)
      if (Object.keys(tags).length > 0 && !(await invalidations.announce(tags))) return false;
    const sent = await Promise.all(left.map((row) => publisher.send(row, 'sweep')));
    const ids = left.filter((_, i) => sent[i]).map(({ _id }) => _id);
    await publisher.mark(ids);
    if (ids.length < left.length) return false;
  }
  return false;
}

function watchOutbox(
  { rows, database, nats, prefix, metrics }: OutboxContext,
  waitedSeconds: () => number,
): void {
  const timeout = { maxTimeMS: METRICS_TIMEOUT_MS };
  metrics.watchOutboxPending(async () => {
    if (!database.isReady()) return undefined;
    return countWaiting(rows, timeout);
  });
  metrics.watchOutboxOldest(async () => {
    if (!database.isReady()) return undefined;
    return (await oldestWaiting(rows, timeout)) === null ? 0 : waitedSeconds();
  });
  const stream = async () => (await nats.manager()).streams.info(eventStream(prefix).name);
  metrics.watchStreamBytes(async () => (await stream()).state.bytes);
  metrics.watchStreamMaxBytes(async () => {
    const { max_bytes } = (await stream()).config;
    return max_bytes > 0 ? max_bytes : undefined;
  });
}
