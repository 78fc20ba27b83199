import { ApiError, limits, liveEvent } from '@waymark/contracts';
import { followEvents } from '@waymark/service-kit/events';
import { waitAtMost } from '@waymark/service-kit/jobs';
import type { Runtime } from '@waymark/service-kit/runtime';
import { type FeedEvent, recentEvents } from './recent-events.ts';

export type EventFeed = ReturnType<typeof eventFeed>;

const READY_TIMEOUT_MS = 3_000;
const MESSAGE_ID = /^([0-9a-z]+)-(\d{1,16})$/;

/** Reads all events of the installation, once per process. `onRestart` runs when the stream was replaced. */
export function eventFeed(
  { nats, config, log }: Pick<Runtime, 'nats' | 'config' | 'log'>,
  listener: { onEvent: (event: FeedEvent, index: number) => void; onRestart: () => void },
) {
  const recent = recentEvents(limits.eventStreamRecent);
  const caughtUp = Promise.withResolvers<void>();
  let isCaughtUp = false;
  let epoch = '';
  let latest = 0;

  const messageId = (sequence: number) => `${epoch}-${sequence}`;
  const follower = followEvents(
    { nats, prefix: config.natsPrefix, streamReplicas: config.natsReplicas, log },
    {
      recent: limits.eventStreamRecent,
      begun({ createdAt, after }) {
        const isRestart = epoch !== '';
        epoch = Date.parse(createdAt).toString(36);
        latest = after;
        recent.restart(after);
        if (isRestart) listener.onRestart();
      },
      handle(envelope, sequence) {
        latest = sequence;
        const event = liveEvent(envelope);
        if (!event) return;
        const text = `id: ${messageId(sequence)}\ndata: ${JSON.stringify(event)}\n\n`;
        const entry = { sequence, workspaceId: event.workspace_id, type: event.type, text };
        recent.push(entry);
        listener.onEvent(entry, recent.end() - 1);
      },
      caughtUp() {
        isCaughtUp = true;
        caughtUp.resolve();
      },
    },
  );

  return {
    recent,
    /** Resolves when the feed is current; the first call starts it. Throws SERVICE_UNAVAILABLE. */
    async ready(): Promise<void> {
      follower.start();
      await waitAtMost(caughtUp.promise, READY_TIMEOUT_MS);
      if (!isCaughtUp) throw new ApiError('SERVICE_UNAVAILABLE');
    },
    /** The message id of the latest event, which a client sends as Last-Event-ID to resume after it. */
    latestId: () => messageId(latest),
    /** The sequence of a Last-Event-ID; null for an id of another stream, or one that is not reached yet. */
    sequenceOf(lastEventId: string): number | null {
      const [, ofEpoch, sequence] = MESSAGE_ID.exec(lastEventId) ?? [];
      return ofEpoch === epoch && Number(sequence) <= latest ? Number(sequence) : null;
    },
    stop: () => follower.stop(),
  };
}
