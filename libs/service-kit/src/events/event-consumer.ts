import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { ApiError, EventEnvelope, type EventType, eventStream } from '@waymark/contracts';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { type Span, TRACEPARENT, type Tracing } from '../process/tracing.ts';
import { ensureEventStream, ensureParkedStream } from './event-stream.ts';
import { consumeWhileAlive, type Nats } from './nats.ts';
import { parkedHeaders, REPLAYED_FOR } from './parked-events.ts';

export interface EventConsumer {
  stop(): Promise<void>;
}

export interface ConsumerOptions {
  /** The durable consumer's name: one for all replicas of a service. */
  name: string;
  /** The events to take; all when absent. */
  types?: readonly EventType[];
  /** Must be idempotent on event.id and indifferent to order; several run at once. `traceparent` for work that is left to later. */
  handle: (event: EventEnvelope, traceparent: string | undefined) => Promise<void>;
  /** Events handled at once by this process. */
  concurrency?: number;
}

/** What a crashed process had taken comes again after this long. */
const ACK_WAIT_MS = 5_000;
const FAILURES_MAX = 20;
/** More than can wait for an acknowledgement. */
const FAILING_EVENTS_MAX = 2_000;
const RETRY_MS = 1_000;
const NANOS_PER_MS = 1_000_000;

/**
 * A durable, explicit-ack consumer of domain events. An event that cannot be handled is tried again; one that is
 * malformed, or fails 20 times in one process while what it needs is up, is parked under its own subject for an operator.
 */
export function consumeEvents(
  runtime: {
    nats: Nats;
    prefix: string;
    streamReplicas: number;
    metrics: Metrics;
    tracing: Tracing;
    log: Logger;
    checkpoint: (point: 'handled') => void;
    /** Whether an error means that a store is down: such a failure is not counted against the event. */
    isUnavailable: (error: unknown) => boolean;
    retryMs?: number;
  },
  options: ConsumerOptions,
): EventConsumer {
  const { nats, metrics, tracing, log, retryMs = RETRY_MS } = runtime;
  const { name, types, handle, concurrency = 64 } = options;
  const stream = eventStream(runtime.prefix);
  const running = new Set<Promise<void>>();
  /** By event, in this process: the server's own count has every delivery of an outage in it. */
  const failures = new LRUCache<string, number>({ max: FAILING_EVENTS_MAX });
  let messages: ConsumerMessages | undefined;
  let stopped = false;
  let notifyFree: (() => void) | undefined;

  const count = (result: 'handled' | 'retried' | 'parked', by = 1) =>
    metrics.eventsHandled.inc({ consumer: name, result }, by);
  // A rise is seen only by those who have seen the zero before it.
  for (const result of ['handled', 'retried', 'parked'] as const) count(result, 0);

  metrics.watchConsumerLag(name, async () => {
    if (!nats.connection()) throw new Error('NATS is away');
    const { num_pending, num_ack_pending } = await (await nats.manager()).consumers.info(stream.name, name);
    return num_pending + num_ack_pending;
  });

  metrics.watchParked(name, async () => {
    if (!nats.connection()) throw new Error('NATS is away');
    const subject = stream.parked(name);
    const { state } = await (await nats.manager()).streams.info(stream.parkedName, {
      subjects_filter: subject,
    });
    return state.subjects?.[subject] ?? 0;
  });

  /** What is away or in the way now will not be for ever: that says nothing of the event. */
  function failsForGood({ id }: EventEnvelope, error: unknown): boolean {
    if (runtime.isUnavailable(error)) return false;
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return false;
    const failed = (failures.get(id) ?? 0) + 1;
    if (failed < FAILURES_MAX) {
      failures.set(id, failed);
      return false;
    }
    // Replayed it is tried as often again.
    failures.delete(id);
    return true;
  }

  async function park(message: JsMsg, error: unknown): Promise<void> {
    log.error({ err: error, stream_sequence: message.seq, subject: message.subject }, 'event parked');
    const jetstream = nats.jetstream();
    if (!jetstream) throw new Error('NATS is away');
    await jetstream.publish(stream.parked(name), message.data, {
      msgID: `${name}-${message.seq}`,
      headers: parkedHeaders(message.subject, error),
    });
    message.term('parked');
    count('parked');
  }

  function begin(message: JsMsg, { id, type, workspace_id }: EventEnvelope): Span | null {
    return tracing.proceed(`${name} ${type}`, {
      kind: 'consumer',
      parent: message.headers?.get(TRACEPARENT),
      attributes: {
        'messaging.system': 'nats',
        'waymark.event_id': id,
        'waymark.event_type': type,
        'waymark.workspace_id': workspace_id ?? undefined,
        'waymark.delivery_count': message.info.deliveryCount,
      },
    });
  }

  async function take(message: JsMsg): Promise<void> {
    const replayedFor = message.headers?.get(REPLAYED_FOR);
    if (replayedFor && replayedFor !== name) return message.ack();
    let event: EventEnvelope;
    try {
      event = EventEnvelope.parse(message.json());
    } catch (error) {
      return park(message, error);
    }
    const span = begin(message, event);
    try {
      await tracing.within(span, () => handle(event, span?.traceparent));
      runtime.checkpoint('handled');
      // Were it lost the event would come again, and change nothing: no answer is waited for.
      message.ack();
      failures.delete(event.id);
      count('handled');
      span?.end();
    } catch (error) {
      span?.end({ failed: true });
      if (failsForGood(event, error)) return park(message, error);
      log.warn({ err: error, event_id: event.id }, 'event not handled; it comes again');
      message.nak(retryMs);
      count('retried');
    }
  }

  async function consume(): Promise<void> {
    await ensureEventStream(nats, runtime.prefix, runtime.streamReplicas);
    await ensureParkedStream(nats, runtime.prefix, runtime.streamReplicas);
    const manager = await nats.manager();
    const config = {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
      max_ack_pending: 1_000,
      filter_subjects: types ? types.map(stream.subject) : [stream.everySubject],
    };
    await manager.consumers.add(stream.name, config);
    const consumer = await nats.jetstream()!.consumers.get(stream.name, name);
    messages = await consumeWhileAlive(consumer, concurrency * 2, () => running.size < concurrency);
    for await (const message of messages) {
      if (stopped) break;
      // Not Promise.race over all that run: each race would leave a reaction on every one of them.
      while (running.size >= concurrency) {
        await new Promise<void>((resolve) => {
          notifyFree = resolve;
        });
      }
      const work = take(message).catch((error) => log.warn({ err: error }, 'event left to its ack timeout'));
      running.add(work);
      void work.finally(() => {
        running.delete(work);
        notifyFree?.();
      });
    }
  }

  async function consumeForever(): Promise<void> {
    while (!stopped && nats.connection()) {
      try {
        await consume();
      } catch (error) {
        if (!stopped) log.warn({ err: error, consumer: name }, 'consumer interrupted; it starts again');
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    active = false;
  }

  let active = false;
  nats.onConnect(async () => {
    // The library would look once whether the consumer is there, and then in 15 to 45 s again.
    if (active) return void (await messages?.close());
    if (stopped) return;
    active = true;
    void consumeForever();
  });

  return {
    async stop() {
      stopped = true;
      await messages?.close();
      await Promise.allSettled([...running]);
    },
  };
}
