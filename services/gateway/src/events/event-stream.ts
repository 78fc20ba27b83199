import type { EventType } from '@waymark/contracts';
import type { GatewayResponse } from '../request-state.ts';
import type { EventFeed } from './event-feed.ts';
import type { FeedEvent } from './recent-events.ts';

export type EventStream = ReturnType<typeof openStream>;

const STALLED_BEATS_MAX = 2;
const RETRY_MS = 2_000;
/** The heartbeats of an hour. Then the client reconnects, so that a full gateway shares its streams anew. */
export const BEATS_MAX = 240;

export const control = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** One client's stream. It has no buffer: unread events stay in the feed. */
export function openStream(options: {
  response: GatewayResponse;
  feed: EventFeed;
  workspaceId: string;
  wants: (type: EventType) => boolean;
  onDropped: () => void;
}) {
  const { response, feed, workspaceId, wants } = options;
  const { recent } = feed;
  /** The index of the next event to send; null while the client is up to date. */
  let next: number | null = null;
  let isBlocked = false;
  let stalledBeats = 0;
  let beats = 0;
  response.on('drain', () => {
    isBlocked = false;
    stalledBeats = 0;
    catchUp();
  });

  const isOpen = () => !response.writableEnded && !response.destroyed;
  const withId = (text: string) => `id: ${feed.latestId()}\n${text}`;

  function send(text: string): void {
    if (isOpen() && !response.write(text)) isBlocked = true;
  }

  function sendIfWanted(event: FeedEvent): void {
    if (event.workspaceId !== workspaceId || !wants(event.type)) return;
    send(event.text);
  }

  function catchUp(): void {
    while (next !== null && !isBlocked) {
      if (next < recent.start()) {
        drop();
        return;
      }
      const event = recent.at(next);
      if (event) sendIfWanted(event);
      next = event ? next + 1 : null;
    }
  }

  function drop(): void {
    options.onDropped();
    response.destroy();
  }

  return {
    response,
    workspaceId,
    /** Sends `ready`, and the events since `lastEventId`. */
    begin(lastEventId: string | null): void {
      const sequence = lastEventId === null ? null : feed.sequenceOf(lastEventId);
      const resumed = sequence === null ? null : recent.indexAfter(sequence);
      if (sequence !== null && resumed !== null) {
        // Repeats the client's own id, because the client has not received the events after it yet.
        send(`retry: ${RETRY_MS}\nid: ${lastEventId}\n${control('ready', { resumed: true })}`);
        next = resumed;
        catchUp();
        return;
      }
      if (lastEventId !== null) send(withId(control('reset', {})));
      send(`retry: ${RETRY_MS}\n${withId(control('ready', { resumed: false }))}`);
    },
    offer(event: FeedEvent, index: number): void {
      if (next !== null) return;
      if (isBlocked) next = index;
      else sendIfWanted(event);
    },
    /** Sends a message that is not repeated: a client that does not read misses it. */
    tell(message: string): void {
      if (!isBlocked && next === null) send(message);
    },
    /** Tells the client to read everything again, because the feed was replaced. */
    restart(): void {
      next = null;
      send(withId(control('reset', {})));
    },
    isOld: () => beats >= BEATS_MAX,
    /** Sends a heartbeat; disconnects a client that has stopped reading. */
    beat(): void {
      beats += 1;
      if (isBlocked && ++stalledBeats >= STALLED_BEATS_MAX) drop();
      // Has an id, so that a client of a quiet workspace resumes from here and not from its last event.
      else if (!isBlocked && next === null) send(withId(': still here\n\n'));
    },
    end(reason: 'access' | 'age' | 'drain', retryMs: number): void {
      // A blocked client would hold the connection open until it reads.
      if (isBlocked) response.destroy();
      else if (isOpen()) response.end(`retry: ${retryMs}\n${control('reconnect', { reason })}`);
    },
  };
}
