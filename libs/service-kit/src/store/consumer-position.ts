import { eventStream } from '@waymark/contracts';
import { z } from 'zod';
import type { StreamPosition } from '../events/event-stream.ts';
import { latestValues } from '../events/latest-values.ts';
import type { Nats } from '../events/nats.ts';
import { periodicTask } from '../jobs/periodic-task.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Database, Indexes } from './database.ts';

export const POSITIONS = 'consumer_positions';
export const positionIndexes: Indexes = { [POSITIONS]: [] };

const RECORD_MS = 5_000;
const Position = z.object({ stream: z.string(), sequence: z.number() });

/**
 * Records in MongoDB the position up to which a consumer has handled every event, and then a copy in NATS. A
 * copy ahead of its record shows that the database was set back; nothing is recorded until a refill.
 */
export function recordPosition(
  context: {
    database: Database;
    nats: Nats;
    prefix: string;
    streamReplicas: number;
    metrics: Metrics;
    log: Logger;
    recordMs?: number | undefined;
  },
  name: string,
): { stop(): Promise<void> } {
  const { database, nats, prefix, streamReplicas: replicas, metrics, log, recordMs = RECORD_MS } = context;
  const stream = eventStream(prefix);
  const records = database.collection<StreamPosition & { _id: string }>(POSITIONS);
  const copies = latestValues({ nats, name: stream.positionsName, subject: stream.positions, replicas });
  let isOlder: boolean | undefined;

  async function reached(): Promise<StreamPosition> {
    const { streams, consumers } = await nats.manager();
    const { created } = await streams.info(stream.name);
    const { ack_floor } = await consumers.info(stream.name, name);
    return { stream: created, sequence: ack_floor.stream_seq };
  }

  async function run(): Promise<void> {
    if (!database.isReady() || !nats.connection()) return;
    // Reads the copy first: it is written last, so a copy that is newer means a restored database.
    const copied = await copies.read(name);
    const record = await records.findOne({ _id: name });
    const latest = await reached();
    const copy = Position.safeParse(copied?.value).data ?? null;
    const wasOlder = isOlder;
    isOlder = copy?.stream === latest.stream && isBefore(record, copy);
    if (isOlder && !wasOlder)
      log.error({ consumer: name, record, copy }, 'the database is older than the event stream: refill it');
    if (isOlder) return;
    // Unchanged since it was read: another process has not recorded more, and nobody has restored it.
    if (!record) await records.insertOne({ _id: name, ...latest });
    else if (isBefore(record, latest)) {
      const { matchedCount } = await records.updateOne(record, { $set: latest });
      if (matchedCount === 0) return;
    }
    const { stream: created, sequence } = isBefore(record, latest) ? latest : record!;
    if (copy?.stream !== created || copy.sequence !== sequence)
      await copies.write(name, { stream: created, sequence }, copied?.revision ?? 0);
  }

  const task = periodicTask({
    everyMs: recordMs,
    run,
    onError: (error) => log.debug({ err: error, consumer: name }, 'position not recorded; tried again soon'),
  });
  database.ready.then(
    () => nats.onConnect(() => void task.trigger()),
    () => undefined,
  );
  task.start();
  metrics.watchDatabaseOlder(() => isOlder, name);
  return { stop: task.stop };
}

/** Whether a position is missing, of another stream, or earlier in this one. */
export function isBefore(position: StreamPosition | null, other: StreamPosition): boolean {
  return position?.stream !== other.stream || position.sequence < other.sequence;
}
