import { AckPolicy, type ConsumerConfig, type ConsumerMessages, DeliverPolicy } from '@nats-io/jetstream';
import { eventStream } from '@waymark/contracts';
import { periodicTask } from '../jobs/periodic-task.ts';
import { ensureEventStream, ensureParkedStream } from './event-stream.ts';
import {
  type HandlerOptions,
  type HandlerRuntime,
  messageHandler,
  UNACKNOWLEDGED_MAX,
} from './handle-message.ts';
import { consumeWhileAlive } from './nats.ts';

export interface EventConsumer {
  stop(): Promise<void>;
}

export interface ConsumerOptions extends HandlerOptions {
  /** How many events this process handles at once. */
  concurrency?: number;
}

/** After this time, NATS redelivers the events that a crashed process had received. */
const ACK_WAIT_MS = 5_000;
const RESTART_MS = 1_000;
const NANOS_PER_MS = 1_000_000;

/**
 * Consumes domain events with a durable consumer that all replicas of a service share. Acknowledges each
 * event.
 */
export function consumeEvents(
  runtime: HandlerRuntime & { streamReplicas: number },
  options: ConsumerOptions,
): EventConsumer {
  const { nats, prefix, streamReplicas, log } = runtime;
  const { name, types, concurrency = 64 } = options;
  const stream = eventStream(prefix);
  const take = messageHandler(runtime, options);
  const running = new Set<Promise<void>>();
  let messages: ConsumerMessages | undefined;
  let notifyFree: (() => void) | undefined;

  const config: Partial<ConsumerConfig> = {
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    max_ack_pending: UNACKNOWLEDGED_MAX,
    filter_subjects: types ? types.map(stream.subject) : [stream.everySubject],
  };

  function begin(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      notifyFree?.();
    });
  }

  async function consume(stopping: AbortSignal): Promise<void> {
    if (!nats.connection()) return;
    await ensureEventStream(nats, prefix, streamReplicas);
    await ensureParkedStream(nats, prefix, streamReplicas);
    const manager = await nats.manager();
    await manager.consumers.add(stream.name, config);
    const consumer = await nats.jetstream()!.consumers.get(stream.name, name);
    messages = await consumeWhileAlive(consumer, concurrency * 2, () => running.size < concurrency);
    // close() would wait for an iteration that has not begun.
    if (stopping.aborted) return messages.stop();
    for await (const message of messages) {
      if (stopping.aborted) break;
      // Promise.race over all running promises would leave a reaction on each of them at every call.
      while (running.size >= concurrency) {
        await new Promise<void>((resolve) => {
          notifyFree = resolve;
        });
      }
      begin(
        take(message).catch((error) =>
          log.warn({ err: error }, 'event not acknowledged; NATS redelivers it after the ack timeout'),
        ),
      );
    }
  }

  const loop = periodicTask({
    everyMs: RESTART_MS,
    run: consume,
    onError: (error) => log.warn({ err: error, consumer: name }, 'consumer interrupted; it starts again'),
  });
  watchConsumer(runtime, name);
  nats.onConnect(async () => {
    loop.start();
    // Otherwise the library would check for the consumer once, and then again after 15 to 45 s.
    void messages?.close();
    void loop.trigger();
  });

  return {
    async stop() {
      const stopped = loop.stop();
      await messages?.close();
      await stopped;
      await Promise.allSettled([...running]);
    },
  };
}

function watchConsumer({ nats, metrics, prefix }: HandlerRuntime, name: string): void {
  const stream = eventStream(prefix);
  async function manager() {
    if (!nats.connection()) throw new Error('NATS is away');
    return nats.manager();
  }
  metrics.watchConsumerLag(name, async () => {
    const { num_pending, num_ack_pending } = await (await manager()).consumers.info(stream.name, name);
    return num_pending + num_ack_pending;
  });
  metrics.watchParked(name, async () => {
    const subject = stream.parked(name);
    const { streams } = await manager();
    const { state } = await streams.info(stream.parkedName, { subjects_filter: subject });
    return state.subjects?.[subject] ?? 0;
  });
}
