import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { eventStream } from '@waymark/contracts';
import { connectOperator } from './connect-operator.ts';
import { orNull, type StreamPosition } from './event-stream.ts';
import { countParked } from './parked-events.ts';

export type EventsObservation = Awaited<ReturnType<typeof observeEvents>>;

/** Returns the state of the event stream and its consumers. Throws EnvironmentError, SERVICE_UNAVAILABLE. */
export async function observeEvents(env: Record<string, string | undefined>) {
  const { nats, natsPrefix } = await connectOperator(env);
  try {
    const names = eventStream(natsPrefix);
    const manager = await jetstreamManager(nats);
    const info = await orNull(manager.streams.info(names.name));
    const parked = await orNull(
      manager.streams.info(names.parkedName, { subjects_filter: names.everyParked }),
    );
    return {
      version: nats.info?.version ?? 'unknown',
      stream: info && {
        created: info.created,
        bytes: info.state.bytes,
        maxBytes: info.config.max_bytes,
        replicas: info.config.num_replicas,
        /** Other nodes with a copy of the stream that do not answer, or lack events. */
        replicasDown: (info.cluster?.replicas ?? [])
          .filter(({ offline, current }) => offline || !current)
          .map(({ name }) => name),
        events: info.state.messages,
      },
      consumers: info ? await consumersOf(manager, names) : [],
      /** The number of parked events by consumer. */
      parked: countParked(parked?.state.subjects ?? {}, natsPrefix),
    };
  } finally {
    await nats.close();
  }
}

/** The durable consumers, with the position that each has recorded in NATS, null before the first. */
async function consumersOf(manager: JetStreamManager, names: ReturnType<typeof eventStream>) {
  const found: { name: string; lag: number; recorded: StreamPosition | null }[] = [];
  for await (const { name, config, num_pending, num_ack_pending } of manager.consumers.list(names.name)) {
    if (!config.durable_name) continue;
    const query = { last_by_subj: `${names.positions}.${name}` };
    const message = await orNull(manager.streams.getMessage(names.positionsName, query));
    const recorded = message ? message.json<StreamPosition>() : null;
    found.push({ name, lag: num_pending + num_ack_pending, recorded });
  }
  return found;
}
