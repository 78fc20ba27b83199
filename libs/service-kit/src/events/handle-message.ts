import type { JsMsg } from '@nats-io/jetstream';
import { ApiError, type EventEnvelope, type EventType, eventStream } from '@waymark/contracts';
import { boundedCache } from '../jobs/bounded-cache.ts';
import { failureLog } from '../process/failure-log.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';
import { type Span, TRACEPARENT, type Tracing } from '../process/tracing.ts';
import { contradictionIn } from './contradiction-in.ts';
import type { StreamPosition } from './event-stream.ts';
import type { Nats } from './nats.ts';
import {
  ORIGINAL_SEQUENCE,
  PARKED_NUMBER,
  parkedHeaders,
  parkedIdOf,
  REPLAYED_FOR,
} from './parked-events.ts';
import { readEvent } from './read-event.ts';

export interface HandlerRuntime {
  nats: Nats;
  prefix: string;
  metrics: Metrics;
  tracing: Tracing;
  log: Logger;
  now: () => number;
  checkpoint: (point: 'handled') => void;
  /** Reports whether an error means that a store is down; such a failure does not count against the event. */
  isUnavailable: (error: unknown) => boolean;
  retryMs?: number;
}

export interface HandlerOptions {
  /** The name of the durable consumer, which all replicas of a service share. */
  name: string;
  types?: readonly EventType[];
  /** Idempotent on event.id and independent of order; runs concurrently. `traceparent` is for later work. */
  handle: (event: EventEnvelope, traceparent: string | undefined, position: StreamPosition) => Promise<void>;
}

const FAILURES_MAX = 20;
/** Events without an acknowledgement: enough that unknown types do not block the others during an upgrade. */
export const UNACKNOWLEDGED_MAX = 50_000;
const RETRY_MS = 1_000;
/** Longer than a rolling upgrade, after which new replicas handle the event. */
const UNKNOWN_TYPE_MS = 24 * 3_600_000;
const UNKNOWN_RETRY_MAX_MS = 300_000;
export const NANOS_PER_MS = 1_000_000;

/**
 * Acknowledges a message, has it redelivered, or parks it for an operator: at once if it does not fit the
 * schema of its type or contradicts itself, after 20 failures in a process with its stores up, after 24
 * hours of an unknown type.
 */
export function messageHandler(
  runtime: HandlerRuntime,
  { name, types, handle }: HandlerOptions,
): (message: JsMsg, createdAt: string) => Promise<void> {
  const { nats, prefix, metrics, tracing, log, now, retryMs = RETRY_MS } = runtime;
  const stream = eventStream(prefix);
  /** Failures by event in this process: the server's count includes every delivery during an outage. */
  const failures = boundedCache<string, number>(UNACKNOWLEDGED_MAX);
  const unhandled = failureLog(log, 'event not handled; it is redelivered');
  const reportedTypes = new Set<string>();
  const count = (result: 'handled' | 'retried' | 'parked', by = 1) =>
    metrics.eventsHandled.inc({ consumer: name, result }, by);
  // An alert on an increase needs a first sample of zero.
  for (const result of ['handled', 'retried', 'parked'] as const) count(result, 0);

  function retry(message: JsMsg, delayMs: number): void {
    message.nak(delayMs);
    count('retried');
  }

  /** Parks an event once, however often the consumer reads it, and not at all if an operator discarded it. */
  async function park(message: JsMsg, error: unknown, createdAt: string): Promise<void> {
    const jetstream = nats.jetstream();
    if (!jetstream) throw new Error('NATS is away');
    const { streams } = await nats.manager();
    const id = parkedIdOf(message, createdAt);
    const find = (subject: string) => streams.getMessage(stream.parkedName, { last_by_subj: subject });
    if (await find(stream.discarded(name, id))) return message.term('discarded');
    const subject = stream.parked(name, id);
    const last = (await find(subject))?.seq ?? 0;
    // The one that is replayed is deleted only after its replay is published.
    if (last > Number(message.headers?.get(PARKED_NUMBER) ?? 0)) return message.term('parked before');
    await jetstream.publish(subject, message.data, {
      headers: parkedHeaders(message, error),
      expect: { lastSubjectSequence: last },
    });
    message.term('parked');
    log.error({ err: error, stream_sequence: message.seq, subject: message.subject }, 'event parked');
    count('parked');
  }

  /** Uses the message's own time and delivery count, so that all replicas agree. */
  async function postpone(message: JsMsg, type: string, createdAt: string): Promise<void> {
    const { timestampNanos, deliveryCount } = message.info;
    if (now() - timestampNanos / NANOS_PER_MS >= UNKNOWN_TYPE_MS)
      return park(message, new Error(`this version does not know events of the type ${type}`), createdAt);
    if (!reportedTypes.has(type)) log.warn({ type }, 'event of an unknown type; redelivered for 24 hours');
    reportedTypes.add(type);
    retry(message, Math.min(retryMs * 2 ** (deliveryCount - 1), UNKNOWN_RETRY_MAX_MS));
  }

  /** Counts a failure. Those of a store and SERVICE_UNAVAILABLE do not count. */
  function hasFailedTooOften({ id }: EventEnvelope, error: unknown): boolean {
    if (runtime.isUnavailable(error)) return false;
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return false;
    const failed = (failures.get(id) ?? 0) + 1;
    // A replayed event gets the same number of attempts again.
    failures.set(id, failed % FAILURES_MAX);
    return failed === FAILURES_MAX;
  }

  async function attempt(message: JsMsg, event: EventEnvelope, createdAt: string): Promise<void> {
    const sequence = Number(message.headers?.get(ORIGINAL_SEQUENCE)) || message.seq;
    const span = spanOf(tracing, name, message, event);
    try {
      await tracing.within(span, () => handle(event, span?.traceparent, { stream: createdAt, sequence }));
      runtime.checkpoint('handled');
      // Not awaited: if the acknowledgement is lost, the redelivered event changes nothing.
      message.ack();
      failures.delete(event.id);
      count('handled');
      unhandled.onSuccess();
      span?.end();
    } catch (error) {
      span?.end({ failed: true });
      if (hasFailedTooOften(event, error)) return park(message, error, createdAt);
      unhandled.onError(error, { event_id: event.id, consumer: name });
      retry(message, retryMs);
    }
  }

  return async (message, createdAt) => {
    const replayedFor = message.headers?.get(REPLAYED_FOR);
    if (replayedFor && replayedFor !== name) return message.ack();
    const read = readEvent(message);
    if (read.kind === 'malformed') return park(message, read.error, createdAt);
    if (read.kind === 'unknown') return postpone(message, read.type, createdAt);
    const { event } = read;
    const contradiction = contradictionIn(event, { message, prefix, now: now() });
    if (contradiction)
      return park(message, new Error(`no service published this: ${contradiction}`), createdAt);
    // A newer replica has widened the consumer's filter.
    if (types && !types.includes(event.type)) return postpone(message, event.type, createdAt);
    await attempt(message, event, createdAt);
  };
}

function spanOf(tracing: Tracing, consumer: string, message: JsMsg, event: EventEnvelope): Span | null {
  return tracing.proceed(`${consumer} ${event.type}`, {
    kind: 'consumer',
    parent: message.headers?.get(TRACEPARENT),
    attributes: {
      'messaging.system': 'nats',
      'waymark.event_id': event.id,
      'waymark.event_type': event.type,
      'waymark.workspace_id': event.workspace_id ?? undefined,
      'waymark.delivery_count': message.info.deliveryCount,
    },
  });
}
