import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { eventStream } from '@waymark/contracts';
import { failureLog } from '../process/failure-log.ts';
import { ensureEventStream, ensureParkedStream } from './event-stream.ts';
import {
  type HandlerOptions,
  type HandlerRuntime,
  messageHandler,
  NANOS_PER_MS,
  UNACKNOWLEDGED_MAX,
} from './handle-message.ts';
import { messageLoop } from './message-loop.ts';
import { countParked } from './parked-events.ts';

export type EventConsumer = ReturnType<typeof consumeEvents>;

export interface ConsumerOptions extends HandlerOptions {
  concurrency?: number;
}

/** NATS redelivers an event after this time without an acknowledgement or a sign of work. */
const ACK_WAIT_MS = 5_000;

/** Consumes domain events with a durable consumer that all replicas share. Acknowledges each event. */
export function consumeEvents(
  runtime: HandlerRuntime & { streamReplicas: number },
  options: ConsumerOptions,
) {
  const { nats, prefix, streamReplicas, log } = runtime;
  const { name, types, concurrency = 64 } = options;
  const stream = eventStream(prefix);
  const handle = messageHandler(runtime, options);
  const running = new Set<Promise<void>>();
  let notifyFree: (() => void) | undefined;
  let createdAt = '';
  const interrupted = failureLog(log, 'consumer interrupted; it starts again');
  const unacknowledged = failureLog(log, 'event not acknowledged; NATS redelivers it after the ack timeout');

  const loop = messageLoop({
    nats,
    maxMessages: concurrency * 2,
    isReading: () => running.size < concurrency,
    async open() {
      createdAt = await ensureEventStream(nats, prefix, streamReplicas);
      await ensureParkedStream(nats, prefix, streamReplicas);
      await (await nats.manager()).consumers.add(stream.name, {
        durable_name: name,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
        max_ack_pending: UNACKNOWLEDGED_MAX,
        filter_subjects: types ? types.map(stream.subject) : [stream.everySubject],
      });
      return nats.jetstream()!.consumers.get(stream.name, name);
    },
    async take(message) {
      // Promise.race over all running promises would leave a reaction on each of them at every call.
      while (running.size >= concurrency) {
        await new Promise<void>((resolve) => {
          notifyFree = resolve;
        });
      }
      const work = handle(message, createdAt).then(unacknowledged.onSuccess, unacknowledged.onError);
      // On a slow machine, redelivered events would add to the work that makes it slow.
      const signs = setInterval(() => message.working(), ACK_WAIT_MS / 2);
      running.add(work);
      void work.finally(() => {
        clearInterval(signs);
        running.delete(work);
        notifyFree?.();
      });
    },
    onError: (error) => interrupted.onError(error, { consumer: name }),
    onSuccess: interrupted.onSuccess,
  });
  watchConsumer(runtime, name);
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await Promise.allSettled([...running]);
    },
  };
}

function watchConsumer({ nats, metrics, prefix }: HandlerRuntime, name: string): void {
  const stream = eventStream(prefix);
  metrics.watchConsumerLag(async () => {
    const { consumers } = await nats.manager();
    const { num_pending, num_ack_pending } = await consumers.info(stream.name, name);
    return num_pending + num_ack_pending;
  }, name);
  metrics.watchParked(async () => {
    const { streams } = await nats.manager();
    const { state } = await streams.info(stream.parkedName, { subjects_filter: stream.everyParked });
    return countParked(state.subjects ?? {}, prefix)[name] ?? 0;
  }, name);
}
