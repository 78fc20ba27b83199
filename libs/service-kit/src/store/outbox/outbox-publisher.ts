import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { eventStream } from '@waymark/contracts';
import { type UpdateOptions, WriteConcern } from 'mongodb';
import { failureLog } from '../../process/failure-log.ts';
import { TRACEPARENT } from '../../process/tracing.ts';
import type { OutboxContext, OutboxRow } from './outbox-row.ts';

export type OutboxPublisher = ReturnType<typeof outboxPublisher>;

/** Well below the age at which the sweep publishes again. */
const MARK_MS = 250;
/** A crash may lose the mark; the sweep republishes and NATS deduplicates. */
const NOT_AWAITED = new WriteConcern(1);

/** Publishes rows of the outbox and marks those that NATS has acknowledged. */
export function outboxPublisher({ rows, nats, prefix, metrics, log }: OutboxContext) {
  const stream = eventStream(prefix);
  const inFlight = new Set<Promise<unknown>>();
  const refused = failureLog(
    log,
    'NATS did not accept an event; it waits in the outbox and is published later',
  );
  const unmarked = failureLog(log, 'published events not marked; they are published again later');
  let published: string[] = [];
  let markTimer: NodeJS.Timeout | undefined;

  /** Publishes one row; false when NATS has not acknowledged it. */
  async function send(row: OutboxRow, path: 'commit' | 'sweep' | 'republish'): Promise<boolean> {
    const jetstream = nats.jetstream();
    if (!jetstream) return false;
    try {
      await jetstream.publish(stream.subject(row.type), row.payload, {
        msgID: row._id,
        ...(row.traceparent && { headers: traceHeaders(row.traceparent) }),
      });
      metrics.outboxPublished.inc({ path });
      refused.onSuccess();
      return true;
    } catch (error) {
      metrics.outboxPublishFailed.inc();
      refused.onError(error, { event_id: row._id });
      return false;
    }
  }

  async function mark(ids: string[], options: UpdateOptions = {}): Promise<void> {
    const marked = { $unset: { pending: 1 as const }, $currentDate: { published_at: true as const } };
    if (ids.length > 0) await rows.updateMany({ _id: { $in: ids } }, marked, options);
  }

  function markSoon(id: string): void {
    published.push(id);
    markTimer ??= setTimeout(markNow, MARK_MS);
  }

  function markNow(): void {
    clearTimeout(markTimer);
    markTimer = undefined;
    const ids = published;
    published = [];
    track(mark(ids, { writeConcern: NOT_AWAITED }).then(unmarked.onSuccess, unmarked.onError));
  }

  function track(work: Promise<unknown>): void {
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
  }

  return {
    send,
    mark,
    /** Publishes in the background and marks the rows soon after. */
    publish(batch: readonly OutboxRow[]): void {
      for (const row of batch) {
        track(send(row, 'commit').then((isSent) => isSent && markSoon(row._id)));
      }
    },
    /** Waits for all publications in the background. */
    async drain() {
      while (inFlight.size > 0 || markTimer) {
        await Promise.allSettled([...inFlight]);
        if (markTimer) markNow();
      }
    },
  };
}

function traceHeaders(traceparent: string): MsgHdrs {
  const carried = headers();
  carried.set(TRACEPARENT, traceparent);
  return carried;
}
