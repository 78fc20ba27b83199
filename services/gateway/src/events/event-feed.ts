import { ApiError, limits, liveEvent } from '@waymark/contracts';
import { followEvents } from '@waymark/service-kit/events';
import type { Runtime } from '@waymark/service-kit/runtime';
import { type FeedEvent, type RecentEvents, recentEvents } from './recent-events.ts';

/** All events of the installation as one process gets them, once, for all its streams. */
export interface EventFeed {
  recent: RecentEvents;
  /** Begins with the first call; resolves when what was there is known. Throws SERVICE_UNAVAILABLE while NATS is away. */
  ready(): Promise<void>;
  /** The id of a message: a client that sends it again goes on behind it. */
  position(sequence: number): string;
  /** The sequence in a Last-Event-ID; null when it is none of this stream's. */
  sequenceIn(lastEventId: string): number | null;
  /** The sequence of the latest event. */
  latest(): number;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 3_000;
const POSITION = /^([0-9a-z]+)-(\d{1,16})$/;

/** `onEvent` gets each new event with its place, `onRestart` runs when nothing from before can be resumed. */
export function eventFeed(
  { nats, config, log }: Pick<Runtime, 'nats' | 'config' | 'log'>,
  listener: { onEvent: (event: FeedEvent, place: number) => void; onRestart: () => void },
): EventFeed {
  const recent = recentEvents(limits.eventStreamRecent);
  const first = Promise.withResolvers<void>();
  let epoch = '';
  let latest = 0;

  const position = (sequence: number) => `${epoch}-${sequence}`;
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
        const text = `id: ${position(sequence)}\ndata: ${JSON.stringify(event)}\n\n`;
        const entry = { sequence, workspaceId: event.workspace_id, type: event.type, text };
        recent.push(entry);
        listener.onEvent(entry, recent.end() - 1);
      },
      caughtUp: first.resolve,
    },
  );

  return {
    recent,
    async ready() {
      follower.start();
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ApiError('SERVICE_UNAVAILABLE')), READY_TIMEOUT_MS);
      });
      await Promise.race([first.promise, limit]).finally(() => clearTimeout(timer));
    },
    position,
    sequenceIn(lastEventId) {
      const [, ofEpoch, sequence] = POSITION.exec(lastEventId) ?? [];
      return ofEpoch === epoch ? Number(sequence) : null;
    },
    latest: () => latest,
    stop: () => follower.stop(),
  };
}
