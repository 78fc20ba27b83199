import type { EventEnvelope, EventType, ServiceName } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime } from '@waymark/service-kit/runtime';
import { eventually } from '../eventually.ts';
import type { OneService } from './start-one.ts';
import { streamOf } from './test-environment.ts';

export type EventPublisher = Awaited<ReturnType<typeof openEventPublisher>>;

/** Connects to the stream of a service that consumes events, as the service `decisions` would. */
export async function openEventPublisher({ env }: OneService, service: ServiceName) {
  const peer = openRuntime('decisions', readEnvironment(baseEnvironment('decisions'), env));
  const stream = streamOf(env);
  const consumer = async () => (await peer.nats.manager()).consumers.info(stream.name, service);
  let round = 0;
  let published = 0;
  await eventually(consumer);

  /** Publishes any text. Repeats it under the same id when the connection breaks, as on a busy machine. */
  async function publishRaw(payload: string, type: EventType, msgID = `raw-${payload}`): Promise<void> {
    const subject = stream.subject(type);
    const { seq } = await eventually(() => peer.nats.jetstream()!.publish(subject, payload, { msgID }));
    published = Math.max(published, seq);
  }

  return {
    nats: peer.nats,
    publishRaw,
    /** Publishes events at once. NATS delivers each copy. */
    async publish(events: EventEnvelope[], { copies = 1 } = {}): Promise<void> {
      round += 1;
      const all = Array.from({ length: copies }, () => events).flat();
      const send = (event: EventEnvelope, i: number) =>
        publishRaw(JSON.stringify(event), event.type, `${event.id}-${round}-${i}`);
      await Promise.all(all.map(send));
    },
    /** Resolves when the service has handled every event published so far. */
    settled: () =>
      eventually(async () => {
        const { num_pending, num_ack_pending, delivered } = await consumer();
        // NATS acknowledges an event before its consumers count it as pending.
        return delivered.stream_seq >= published && num_pending + num_ack_pending === 0;
      }),
    close: () => peer.close(),
  };
}
