import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { eventStream } from '@waymark/contracts';
import type { Nats } from './nats.ts';

const HOUR_NANOS = 3_600_000_000_000;
const STREAM_BYTES = 8 * 1024 ** 3;

/**
 * Makes sure that the stream of domain events exists and returns when it was created (RFC 3339): a new moment
 * means that NATS lost it and that the outboxes must be published again. Full, it refuses; nothing is dropped.
 */
export async function ensureEventStream(nats: Nats, prefix: string, replicas: number): Promise<string> {
  const manager = await nats.manager();
  const { name, subjects } = eventStream(prefix);
  try {
    return (await manager.streams.info(name)).created;
  } catch {
    const info = await manager.streams.add({
      name,
      subjects,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_age: 7 * 24 * HOUR_NANOS,
      max_bytes: STREAM_BYTES,
      duplicate_window: HOUR_NANOS / 2,
      num_replicas: replicas,
    });
    return info.created;
  }
}
