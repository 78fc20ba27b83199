import { DeliverPolicy, type StreamState } from '@nats-io/jetstream';
import { type EventEnvelope, eventStream } from '@waymark/contracts';
import { failureLog } from '../process/failure-log.ts';
import type { Logger } from '../process/logger.ts';
import { contradictionIn } from './contradiction-in.ts';
import { ensureEventStream } from './event-stream.ts';
import { messageLoop } from './message-loop.ts';
import type { Nats } from './nats.ts';
import { readEnvelope } from './read-event.ts';

export interface FollowerOptions {
  /** How many of the latest messages are handled before new ones. */
  recent: number;
  /** Called in stream order; `sequence` rises with every event. Receives only events of known types. */
  handle: (event: EventEnvelope, sequence: number) => void;
  /** Called at the start, and when the stream is new or dropped unread events. `after` precedes the next. */
  begun: (stream: { createdAt: string; after: number }) => void;
  /** Called when all events that the stream held at a (re)connect have been handled. */
  caughtUp: () => void;
}

const MESSAGES_AHEAD = 500;

/**
 * Follows events with an ordered consumer: every process receives all events and continues after a reconnect
 * where it stopped. Acknowledges nothing and leaves no consumer in NATS; its position is lost when it ends.
 */
export function followEvents(
  runtime: { nats: Nats; prefix: string; streamReplicas: number; log: Logger },
  options: FollowerOptions,
) {
  const { nats, prefix, log } = runtime;
  const stream = eventStream(prefix);
  const eventsPrefix = stream.everySubject.slice(0, -1);
  let createdAt: string | null = null;
  let next = 1;
  let state: StreamState;

  return messageLoop({
    nats,
    maxMessages: MESSAGES_AHEAD,
    async open() {
      const created = await ensureEventStream(nats, prefix, runtime.streamReplicas);
      ({ state } = await (await nats.manager()).streams.info(stream.name));
      if (created !== createdAt || next < state.first_seq || next > state.last_seq + 1) {
        createdAt = created;
        next = Math.max(1, state.first_seq, state.last_seq - options.recent + 1);
        options.begun({ createdAt: created, after: next - 1 });
      }
      if (next > state.last_seq) options.caughtUp();
      const position = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
      return nats.jetstream()!.consumers.get(stream.name, position);
    },
    take(message) {
      next = message.seq + 1;
      if (message.subject.startsWith(eventsPrefix)) {
        const event = readEnvelope(message);
        if (event && !contradictionIn(event, { message, prefix, now: Date.now() }))
          options.handle(event, message.seq);
      }
      if (message.seq === state.last_seq) options.caughtUp();
    },
    ...failureLog(log, 'event stream interrupted; it is resumed'),
  });
}
