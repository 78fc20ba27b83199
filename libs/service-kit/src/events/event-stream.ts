import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { eventStream } from '@waymark/contracts';
import type { Nats } from './nats.ts';

const HOUR_NANOS = 3_600_000_000_000;
const STREAM_BYTES = 8 * 1024 ** 3;
const PARKED_BYTES = 1024 ** 3;

type StreamConfig = Parameters<JetStreamManager['streams']['add']>[0];

/** Creates a stream of limited retention unless it exists. */
export async function ensureStream(nats: Pick<Nats, 'manager'>, config: StreamConfig): Promise<StreamInfo> {
  const { streams } = await nats.manager();
  const found = await streams.info(config.name).catch(() => null);
  if (found) return found;
  const { Limits } = RetentionPolicy;
  return streams.add({ storage: StorageType.File, retention: Limits, discard: DiscardPolicy.New, ...config });
}

/**
 * Creates the stream of domain events unless it exists, and returns its creation time (RFC 3339). A new time
 * means that NATS lost the stream. A full stream refuses events and drops none.
 */
export async function ensureEventStream(
  nats: Pick<Nats, 'manager'>,
  prefix: string,
  replicas: number,
): Promise<string> {
  const { name, subjects } = eventStream(prefix);
  const { created } = await ensureStream(nats, {
    name,
    subjects,
    max_age: 7 * 24 * HOUR_NANOS,
    max_bytes: STREAM_BYTES,
    duplicate_window: HOUR_NANOS / 2,
    num_replicas: replicas,
  });
  return created;
}

/** Creates the stream of parked events unless it exists. They do not expire; a full stream refuses more. */
export async function ensureParkedStream(nats: Nats, prefix: string, replicas: number): Promise<void> {
  const { parkedName: name, everyParked } = eventStream(prefix);
  const subjects = [everyParked];
  await ensureStream(nats, { name, subjects, max_bytes: PARKED_BYTES, num_replicas: replicas });
}

/** Null for a stream or consumer that does not exist. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes;
  try {
    return await asked;
  } catch (error) {
    const missing: number[] = [StreamNotFound, ConsumerNotFound];
    if (error instanceof JetStreamApiError && missing.includes(error.code)) return null;
    throw error;
  }
}

/** Lets a consumer read all events of the stream again; it skips those that it has. */
export async function readStreamAgain(
  { consumers, streams }: JetStreamManager,
  prefix: string,
  consumer: string,
): Promise<void> {
  const { name, positionsName, positions } = eventStream(prefix);
  // The running service creates it again.
  await orNull(consumers.delete(name, consumer));
  await orNull(streams.purge(positionsName, { filter: `${positions}.${consumer}` }));
}

/**
 * Returns how many events a consumer has not handled, and up to which sequence it has handled all; null while
 * there is no such consumer.
 */
export async function consumerProgress({ consumers }: JetStreamManager, prefix: string, consumer: string) {
  const info = await orNull(consumers.info(eventStream(prefix).name, consumer));
  return info && { left: info.num_pending + info.num_ack_pending, handledUntil: info.ack_floor.stream_seq };
}

/** An event's place in the stream. Sequences rise, and begin again when NATS has lost the stream. */
export interface StreamPosition {
  /** When the stream was created, as `ensureEventStream` returns it. */
  stream: string;
  sequence: number;
}

/** Returns the position of the latest event; every event that is published from now on comes after it. */
export async function latestPosition(nats: Nats, prefix: string): Promise<StreamPosition> {
  const { created, state } = await (await nats.manager()).streams.info(eventStream(prefix).name);
  return { stream: created, sequence: state.last_seq };
}
