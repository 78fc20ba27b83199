import { type ConsumerMessages, DeliverPolicy } from '@nats-io/jetstream';
import { type EventEnvelope, eventStream } from '@waymark/contracts';
import { periodicTask } from '../jobs/periodic-task.ts';
import type { Logger } from '../process/logger.ts';
import { ensureEventStream } from './event-stream.ts';
import { consumeWhileAlive, type Nats } from './nats.ts';
import { readTrusted } from './read-event.ts';

/** Follows the stream of domain events and leaves no consumer in NATS. */
export interface EventFollower {
  /** Begins to follow; waits while NATS is down. Further calls have no effect. */
  start(): void;
  stop(): Promise<void>;
}

export interface FollowerOptions {
  /** How many of the latest messages are handled before new ones. */
  recent: number;
  /** Called in stream order; `sequence` rises with every event. Receives only events of known types. */
  handle: (event: EventEnvelope, sequence: number) => void;
  /**
   * Called at the first start, and when the stream is new or has dropped unread events. Sequences begin after
   * `after`.
   */
  begun: (stream: { createdAt: string; after: number }) => void;
  /** Called when all events that the stream held at a (re)connect have been handled. */
  caughtUp: () => void;
}

const RETRY_MS = 500;
const MESSAGES_AHEAD = 500;

/**
 * Follows events with an ordered consumer: every process receives all events and continues after a reconnect
 * where it stopped. Unlike consumeEvents it acknowledges nothing, and its position is lost when it ends.
 */
export function followEvents(
  runtime: { nats: Nats; prefix: string; streamReplicas: number; log: Logger },
  options: FollowerOptions,
): EventFollower {
  const { nats, log } = runtime;
  const stream = eventStream(runtime.prefix);
  const eventsPrefix = stream.everySubject.slice(0, -1);
  let createdAt: string | null = null;
  let next = 1;
  let messages: ConsumerMessages | undefined;

  async function follow(stopping: AbortSignal): Promise<void> {
    if (!nats.connection()) return;
    const created = await ensureEventStream(nats, runtime.prefix, runtime.streamReplicas);
    const { state } = await (await nats.manager()).streams.info(stream.name);
    if (created !== createdAt || next < state.first_seq || next > state.last_seq + 1) {
      createdAt = created;
      next = Math.max(1, state.first_seq, state.last_seq - options.recent + 1);
      options.begun({ createdAt: created, after: next - 1 });
    }
    if (next > state.last_seq) options.caughtUp();
    const position = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
    const consumer = await nats.jetstream()!.consumers.get(stream.name, position);
    messages = await consumeWhileAlive(consumer, MESSAGES_AHEAD);
    // close() would wait for an iteration that has not begun.
    if (stopping.aborted) return messages.stop();
    for await (const message of messages) {
      if (stopping.aborted) return;
      next = message.seq + 1;
      if (message.subject.startsWith(eventsPrefix)) {
        const event = readTrusted(message);
        if (event) options.handle(event, message.seq);
      }
      if (message.seq === state.last_seq) options.caughtUp();
    }
  }

  const loop = periodicTask({
    everyMs: RETRY_MS,
    run: follow,
    onError: (error) => log.warn({ err: error }, 'event stream interrupted; it is resumed'),
  });
  let isStarted = false;
  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      nats.onConnect(() => {
        loop.start();
        // NATS may have lost its data; then this is a new stream.
        void messages?.close();
        void loop.trigger();
      });
    },
    async stop() {
      const stopped = loop.stop();
      await messages?.close();
      await stopped;
    },
  };
}
