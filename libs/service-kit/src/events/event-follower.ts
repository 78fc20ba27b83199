import { type ConsumerMessages, DeliverPolicy } from '@nats-io/jetstream';
import { type EventEnvelope, eventStream } from '@waymark/contracts';
import type { Logger } from '../process/logger.ts';
import { ensureEventStream } from './event-stream.ts';
import { consumeWhileAlive, type Nats } from './nats.ts';

/** Follows the stream of domain events without leaving anything behind in NATS. */
export interface EventFollower {
  /** Begins, once; a NATS that is away is waited for. */
  start(): void;
  stop(): Promise<void>;
}

export interface FollowerOptions {
  /** How many of the latest messages are handled before those that come. */
  recent: number;
  /** In the order of the stream; `sequence` rises with every event. */
  handle: (event: EventEnvelope, sequence: number) => void;
  /** A first start, a stream made anew, or one that has dropped what was not read yet: sequences begin behind `after`. */
  begun: (stream: { createdAt: string; after: number }) => void;
  /** All that was there at a (re)connect has been handled. */
  caughtUp: () => void;
}

const RETRY_MS = 500;
const MESSAGES_AHEAD = 500;

/**
 * An ordered consumer: every process that follows sees all events, and goes on after a reconnect where it was. Unlike
 * consumeEvents it acknowledges nothing, and nobody keeps its place when it ends.
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
  let isFollowing = false;
  let isStopped = false;

  async function follow(): Promise<void> {
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
    for await (const message of messages) {
      if (isStopped) return;
      next = message.seq + 1;
      if (message.subject.startsWith(eventsPrefix)) {
        const event = parsed(message);
        if (event) options.handle(event, message.seq);
      }
      if (message.seq === state.last_seq) options.caughtUp();
    }
  }

  async function followOn(): Promise<void> {
    while (!isStopped && nats.connection()) {
      try {
        await follow();
      } catch (error) {
        if (!isStopped) log.warn({ err: error }, 'event stream interrupted; it is followed again');
      }
      if (!isStopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    isFollowing = false;
  }

  let isStarted = false;
  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      nats.onConnect(async () => {
        // What was being followed may be another stream by now: NATS may have come back without its data.
        if (isFollowing) return void (await messages?.close());
        isFollowing = true;
        void followOn();
      });
    },
    async stop() {
      isStopped = true;
      await messages?.close();
    },
  };
}

/** Null for what is no JSON: the durable consumers park it. */
function parsed(message: { json(): unknown }): EventEnvelope | null {
  try {
    return message.json() as EventEnvelope;
  } catch {
    return null;
  }
}
