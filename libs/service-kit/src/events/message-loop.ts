import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { periodicTask } from '../jobs/periodic-task.ts';
import type { Nats } from './nats.ts';

const RETRY_MS = 500;
/** The library's default of 15 s between the server's heartbeats would detect a failure late. */
const HEARTBEAT_MS = 2_000;
/** NATS sends events to a connection that has vanished until its latest request for events expires. */
const REQUEST_MS = 5_000;

/** Passes the messages of a consumer to `take`, and begins again after each failure and (re)connect. */
export function messageLoop(options: {
  nats: Nats;
  maxMessages: number;
  open: () => Promise<Consumer>;
  /** The next message waits for a returned promise. */
  take: (message: JsMsg) => void | Promise<void>;
  /** Missed heartbeats count only while messages are read. */
  isReading?: () => boolean;
  onError: (error: unknown) => void;
  /** The consumer sends messages. */
  onSuccess?: () => void;
}) {
  const { nats, maxMessages, open, take, isReading = () => true, onError, onSuccess } = options;
  let isStarted = false;
  let messages: ConsumerMessages | undefined;

  async function run(stopping: AbortSignal): Promise<void> {
    if (!nats.connection()) return;
    const consumer = await open();
    messages = await consumer.consume({
      max_messages: maxMessages,
      expires: REQUEST_MS,
      idle_heartbeat: HEARTBEAT_MS,
    });
    onSuccess?.();
    void endWhenLost(messages, isReading);
    // close() would wait for an iteration that has not begun.
    if (stopping.aborted) return messages.stop();
    for await (const message of messages) {
      if (stopping.aborted) return;
      await take(message);
    }
  }

  const loop = periodicTask({ everyMs: RETRY_MS, run, onError });
  return {
    /** Begins to read; waits while NATS is down. Further calls have no effect. */
    start() {
      if (isStarted) return;
      isStarted = true;
      nats.onConnect(() => {
        loop.start();
        // NATS may have lost the consumer. The library alone would check after 15 to 45 s.
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

/** Ends the messages of a deleted consumer, and after two missed heartbeats; the library checks forever. */
async function endWhenLost(messages: ConsumerMessages, isReading: () => boolean): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type === 'consumer_deleted') messages.stop(new Error('NATS has deleted the consumer'));
    else if (type === 'heartbeats_missed' && isReading())
      messages.stop(new Error('NATS sends no heartbeats for the consumer'));
  }
}
