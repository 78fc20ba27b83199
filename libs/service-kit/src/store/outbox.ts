import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type EventType, eventStream, firstIdAt, timeOfId } from '@waymark/contracts';
import { type ClientSession, type Collection, type UpdateOptions, WriteConcern } from 'mongodb';
import { ensureEventStream } from '../events/event-stream.ts';
import type { Invalidations, Tags } from '../events/invalidations.ts';
import type { Nats } from '../events/nats.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { TRACEPARENT } from '../process/tracing.ts';
import type { Database, Indexes } from './database.ts';
import { workspacePurge } from './workspace-purge.ts';

export interface OutboxRow {
  /** The event's id, which sorts by time. */
  _id: string;
  workspace_id: string | null;
  type: EventType;
  /** The envelope as JSON text: what is stored is what is published, to the byte. */
  payload: string;
  /** Present until NATS has acknowledged the event. */
  pending?: true;
  /** Whether the event has an action, and so an audit entry to come. */
  audited: boolean;
  /** Announced again when a crash came between commit and announcement. */
  tags: Tags;
  /** The trace that the event is part of; beside the envelope, which is public. */
  traceparent?: string;
}

export interface Outbox {
  insert(rows: OutboxRow[], session: ClientSession): Promise<void>;
  /** Publishes in the background, right after commit; what fails stays for the sweep. */
  publish(rows: OutboxRow[]): void;
  /** Publishes what a crash or an outage left behind. */
  sweep(): Promise<void>;
  /**
   * Drops rows past their retention: those without an audit entry to come at once, the others when `audited` knows
   * them; what it does not know is published again, but for deleted workspaces, whose chain it takes nothing into.
   */
  prune(audited: (ids: string[]) => Promise<string[]>): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export const OUTBOX = 'outbox';
const META = 'outbox_meta';
const SWEEP_MS = 1_000;
/** Younger rows are still being published by the process that wrote them. */
const SWEEP_AGE_MS = 2_000;
const SWEEP_ROWS = 500;
const REPUBLISH_MS = 10 * 60_000;
const RETENTION_MS = 24 * 3_600_000;
/** Well below the age at which the sweep would publish again. */
const MARK_MS = 250;
/** What a crash takes of it is published again, and dropped by NATS: not worth a wait for the journal. */
const NOT_AWAITED = new WriteConcern(1);
const METRICS_TIMEOUT_MS = 1_000;
const COUNTED_MAX = 10_000;

export const outboxIndexes: Indexes = {
  [OUTBOX]: [{ key: { pending: 1, _id: 1 }, partialFilterExpression: { pending: true } }],
  [META]: [],
};

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
  const { database, nats, invalidations, metrics, log, now } = options;
  const rows: Collection<OutboxRow> = database.collection(OUTBOX);
  const meta = database.collection<{ _id: string; stream_created: string }>(META);
  const { deletedAmong } = workspacePurge(database);
  const stream = eventStream(options.prefix);
  const inFlight = new Set<Promise<unknown>>();
  let published: string[] = [];
  let markTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  let restoring: Promise<void> | undefined;
  let connects = 0;
  let restoredConnects = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function send(row: OutboxRow, path: 'commit' | 'sweep' | 'republish'): Promise<boolean> {
    const jetstream = nats.jetstream();
    if (!jetstream) return false;
    try {
      await jetstream.publish(stream.subject(row.type), row.payload, {
        msgID: row._id,
        ...(row.traceparent && { headers: traceHeaders(row.traceparent) }),
      });
      metrics.outboxPublished.inc({ path });
      return true;
    } catch (error) {
      log.warn({ err: error, event_id: row._id }, 'event not published; the sweep takes it');
      return false;
    }
  }

  async function mark(ids: string[], options: UpdateOptions = {}): Promise<void> {
    if (ids.length > 0) await rows.updateMany({ _id: { $in: ids } }, { $unset: { pending: 1 } }, options);
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
    track(
      mark(ids, { writeConcern: NOT_AWAITED }).catch((error) =>
        log.warn({ err: error }, 'published events not marked; sent again later'),
      ),
    );
  }

  function track(work: Promise<unknown>): void {
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
  }

  async function sweepOnce(): Promise<void> {
    for (;;) {
      const filter = { pending: true as const, _id: { $lt: firstIdAt(now() - SWEEP_AGE_MS) } };
      const left = await rows.find(filter).sort({ _id: 1 }).limit(SWEEP_ROWS).toArray();
      if (left.length === 0) return;
      for (const { tags } of left) {
        if (Object.keys(tags).length > 0 && !(await invalidations.announce(tags))) return;
      }
      const sent = await Promise.all(left.map(async (row) => ((await send(row, 'sweep')) ? row._id : null)));
      const ids = sent.filter((id) => id !== null);
      await mark(ids);
      if (ids.length < left.length) return;
    }
  }

  /** Whether all since then went out. */
  async function republish(sinceMs: number): Promise<boolean> {
    const cursor = rows.find({ _id: { $gte: firstIdAt(sinceMs) } }).sort({ _id: 1 });
    for await (const row of cursor) if (isStopped || !(await send(row, 'republish'))) return false;
    return true;
  }

  /** Publishes again what an outage may have taken from NATS; all that is kept, until it went out once into a new stream. */
  async function restoreOnce(): Promise<void> {
    const connect = connects;
    const created = await ensureEventStream(nats, options.prefix, options.streamReplicas);
    if (!database.isReady()) return;
    const known = await meta.findOne({ _id: 'stream' });
    const isNew = known?.stream_created !== created;
    if (!(await republish(isNew ? 0 : now() - REPUBLISH_MS))) return;
    if (isNew)
      await meta.updateOne({ _id: 'stream' }, { $set: { stream_created: created } }, { upsert: true });
    restoredConnects = connect;
  }

  function restore(): void {
    if (restoring || isStopped || restoredConnects === connects || !nats.connection()) return;
    restoring = restoreOnce()
      .catch((error) => {
        if (!isStopped) log.warn({ err: error }, 'events not published again; tried again soon');
      })
      .finally(() => {
        restoring = undefined;
      });
  }

  metrics.watchOutbox(async () => {
    if (!database.isReady()) return null;
    const waiting = { pending: true as const };
    const [oldest] = await rows
      .find(waiting, { maxTimeMS: METRICS_TIMEOUT_MS, projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(1)
      .toArray();
    if (!oldest) return { pending: 0, oldestSeconds: 0 };
    const pending = await rows.countDocuments(waiting, { limit: COUNTED_MAX, maxTimeMS: METRICS_TIMEOUT_MS });
    return { pending, oldestSeconds: Math.max(0, (now() - timeOfId(oldest._id)) / 1000) };
  });

  metrics.watchStream(async () => {
    if (!nats.connection()) return null;
    const { config, state } = await (await nats.manager()).streams.info(stream.name);
    return { bytes: state.bytes, ...(config.max_bytes > 0 && { maxBytes: config.max_bytes }) };
  });

  nats.onConnect(() => {
    connects += 1;
    restore();
  });

  function sweep(): Promise<void> {
    if (!database.isReady() || !nats.connection()) return Promise.resolve();
    sweeping ??= sweepOnce().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  }

  return {
    async insert(batch, session) {
      const [only] = batch;
      if (batch.length === 1 && only) await rows.insertOne(only, { session });
      else await rows.insertMany(batch, { session });
    },
    publish(batch) {
      for (const row of batch) {
        track(send(row, 'commit').then((sent) => (sent ? markSoon(row._id) : undefined)));
      }
    },
    sweep,
    async prune(audited) {
      const before = firstIdAt(now() - RETENTION_MS);
      for (let after = ''; ; ) {
        const old = await rows
          .find({ _id: { $gt: after, $lt: before }, pending: { $exists: false } })
          .sort({ _id: 1 })
          .limit(SWEEP_ROWS)
          .toArray();
        if (old.length === 0) return;
        after = old.at(-1)!._id;
        const asked = old.filter((row) => row.audited).map((row) => row._id);
        const known = new Set(asked.length > 0 ? await audited(asked) : []);
        const unknown = old.filter((row) => row.audited && !known.has(row._id));
        const gone = await deletedAmong(unknown.flatMap(({ workspace_id }) => workspace_id ?? []));
        const lost = unknown.filter(({ workspace_id }) => workspace_id === null || !gone.has(workspace_id));
        const kept = new Set(lost.map((row) => row._id));
        await rows.deleteMany({ _id: { $in: old.map((row) => row._id).filter((id) => !kept.has(id)) } });
        for (const row of lost) await send(row, 'republish');
      }
    },
    start() {
      timer = setInterval(() => {
        restore();
        sweep().catch((error) => log.warn({ err: error }, 'outbox sweep failed; it runs again'));
      }, SWEEP_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await restoring;
      await sweeping?.catch(() => undefined);
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
