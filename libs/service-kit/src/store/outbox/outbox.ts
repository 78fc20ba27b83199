import { eventStream, firstIdAt, timeOfId } from '@waymark/contracts';
import type { ClientSession, Collection } from 'mongodb';
import type { Invalidations } from '../../events/invalidations.ts';
import type { Nats } from '../../events/nats.ts';
import { periodicTask } from '../../jobs/periodic-task.ts';
import type { Logger } from '../../process/logger.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { Database } from '../database.ts';
import { workspacePurge } from '../workspace-purge.ts';
import { type OutboxPublisher, outboxPublisher } from './outbox-publisher.ts';
import { OUTBOX, type OutboxRow } from './outbox-row.ts';
import { pruneOutbox } from './prune.ts';
import { republisher } from './republish.ts';

export interface Outbox {
  insert(rows: OutboxRow[], session: ClientSession): Promise<void>;
  /** Publishes in the background after the commit; the sweep publishes the rows that fail. */
  publish(rows: OutboxRow[]): void;
  /** Deletes rows past their retention; `audited` returns the ids that the audit log has. */
  prune(audited: (ids: string[]) => Promise<string[]>, stopping?: AbortSignal): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const SWEEP_MS = 1_000;
/** Younger rows are still being published by the process that wrote them. */
const SWEEP_AGE_MS = 2_000;
const SWEEP_ROWS = 500;
const METRICS_TIMEOUT_MS = 1_000;
const COUNTED_MAX = 10_000;

export function createOutbox(options: {
  database: Database;
  nats: Nats;
  prefix: string;
  streamReplicas: number;
  invalidations: Invalidations;
  metrics: Metrics;
  log: Logger;
  now: () => number;
}): Outbox {
  const { database, nats, invalidations, log, now } = options;
  const rows: Collection<OutboxRow> = database.collection(OUTBOX);
  const { deletedAmong } = workspacePurge(database);
  const publisher = outboxPublisher({ ...options, rows });
  const republish = republisher({ ...options, rows, publisher });

  const sweeper = periodicTask({
    everyMs: SWEEP_MS,
    async run(stopping) {
      if (database.isReady() && nats.connection())
        await sweep({ rows, publisher, invalidations, now, stopping });
    },
    onError: (error) => log.warn({ err: error }, 'outbox sweep failed; it runs again'),
  });
  const restorer = periodicTask({
    everyMs: SWEEP_MS,
    run: republish,
    onError: (error) => log.warn({ err: error }, 'republishing of events failed; it is retried soon'),
  });
  nats.onConnect(() => void restorer.trigger());
  watchOutbox(rows, options);

  return {
    async insert(batch, session) {
      const [only] = batch;
      if (batch.length === 1 && only) await rows.insertOne(only, { session });
      else await rows.insertMany(batch, { session });
    },
    publish: publisher.publish,
    prune: (audited, stopping) => pruneOutbox({ rows, publisher, deletedAmong, now }, audited, stopping),
    start() {
      sweeper.start();
      restorer.start();
    },
    async stop() {
      await Promise.all([sweeper.stop(), restorer.stop()]);
      await publisher.drain();
    },
  };
}

/** Publishes the rows that a crash or an outage left pending. */
async function sweep(context: {
  rows: Collection<OutboxRow>;
  publisher: OutboxPublisher;
  invalidations: Invalidations;
  now: () => number;
  stopping: AbortSignal;
}): Promise<void> {
  const { rows, publisher, invalidations, now, stopping } = context;
  while (!stopping.aborted) {
    const filter = { pending: true as const, _id: { $lt: firstIdAt(now() - SWEEP_AGE_MS) } };
    const left = await rows.find(filter).sort({ _id: 1 }).limit(SWEEP_ROWS).toArray();
    if (left.length === 0) return;
    for (const { tags } of left) {
      if (Object.keys(tags).length > 0 && !(await invalidations.announce(tags))) return;
    }
    const sent = await Promise.all(left.map((row) => publisher.send(row, 'sweep')));
    const ids = left.filter((_, i) => sent[i]).map(({ _id }) => _id);
    await publisher.mark(ids);
    if (ids.length < left.length) return;
  }
}

function watchOutbox(
  rows: Collection<OutboxRow>,
  options: { database: Database; nats: Nats; prefix: string; metrics: Metrics; now: () => number },
): void {
  const { database, nats, metrics, now } = options;
  metrics.watchOutbox(async () => {
    if (!database.isReady()) return null;
    const waiting = { pending: true as const };
    const limits = { maxTimeMS: METRICS_TIMEOUT_MS };
    const oldest = await rows.findOne(waiting, { ...limits, projection: { _id: 1 }, sort: { _id: 1 } });
    if (!oldest) return { pending: 0, oldestSeconds: 0 };
    const pending = await rows.countDocuments(waiting, { ...limits, limit: COUNTED_MAX });
    return { pending, oldestSeconds: Math.max(0, (now() - timeOfId(oldest._id)) / 1000) };
  });
  metrics.watchStream(async () => {
    if (!nats.connection()) return null;
    const { name } = eventStream(options.prefix);
    const { config, state } = await (await nats.manager()).streams.info(name);
    return { bytes: state.bytes, ...(config.max_bytes > 0 && { maxBytes: config.max_bytes }) };
  });
}
