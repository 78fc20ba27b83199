import type { ServerResponse } from 'node:http';
import type { EventType } from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import type { EventFeed } from './event-feed.ts';
import type { FeedEvent } from './recent-events.ts';

/** One client's stream. It has no buffer: unread events stay in the feed. */
export interface EventStream {
  exchange: Exchange;
  workspaceId: string;
  /** Sends `ready`, and the events since `lastEventId`. */
  begin(lastEventId: string | null): void;
  /** Passes on a new event of the workspace, at its index in the feed. */
  offer(event: FeedEvent, index: number): void;
  /** Tells the client to read everything again, because the feed was replaced. */
  restart(): void;
  /** Sends a heartbeat; disconnects a client that has stopped reading. */
  beat(): void;
  end(reason: 'access' | 'drain', retryMs: number): void;
}

/** A client that has read nothing for so many heartbeats is disconnected. */
const STALLED_BEATS_MAX = 2;
const RETRY_MS = 2_000;

const control = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Writes to a client as fast as it reads. */
function clientWriter(response: ServerResponse, onDrain: () => void) {
  let isBlocked = false;
  let stalledBeats = 0;
  response.on('drain', () => {
    isBlocked = false;
    stalledBeats = 0;
    onDrain();
  });
  return {
    isBlocked: () => isBlocked,
    /** Counts a heartbeat without progress. Returns whether the client has stalled. */
    isStalledAtBeat: () => isBlocked && ++stalledBeats >= STALLED_BEATS_MAX,
    send(text: string) {
      if (response.writableEnded || response.destroyed) return;
      if (!response.write(text)) isBlocked = true;
    },
  };
}

export function openStream(options: {
  exchange: Exchange;
  feed: EventFeed;
  workspaceId: string;
  wants: (type: EventType) => boolean;
  /** Called when a slow client is disconnected; it resumes when it reconnects. */
  onDropped: () => void;
}): EventStream {
  const { exchange, feed, workspaceId, wants } = options;
  const { recent } = feed;
  const { response } = exchange;
  /** The index of the next event to send; null while the client is up to date. */
  let next: number | null = null;
  /** The client already has the events up to this sequence, perhaps from another gateway. */
  let hasSequence = 0;
  const { isBlocked, isStalledAtBeat, send } = clientWriter(response, catchUp);

  function sendIfWanted(event: FeedEvent): void {
    if (event.workspaceId !== workspaceId || event.sequence <= hasSequence || !wants(event.type)) return;
    send(event.text);
  }

  function catchUp(): void {
    while (next !== null && !isBlocked()) {
      if (next >= recent.end()) next = null;
      else if (next < recent.start()) {
        drop();
        return;
      } else {
        sendIfWanted(recent.at(next)!);
        next += 1;
      }
    }
  }

  function drop(): void {
    options.onDropped();
    response.destroy();
  }

  const withId = (text: string) => `id: ${feed.messageId(feed.latest())}\n${text}`;

  return {
    exchange,
    workspaceId,
    begin(lastEventId) {
      const sequence = lastEventId === null ? null : feed.sequenceOf(lastEventId);
      const resumed = sequence === null ? null : recent.indexAfter(sequence);
      if (sequence !== null && resumed !== null) {
        // Repeats the client's own id, because the client has not received the events after it yet.
        send(`retry: ${RETRY_MS}\nid: ${lastEventId}\n${control('ready', { resumed: true })}`);
        hasSequence = sequence;
        next = resumed;
        return catchUp();
      }
      if (lastEventId !== null) send(withId(control('reset', {})));
      send(`retry: ${RETRY_MS}\n${withId(control('ready', { resumed: false }))}`);
    },
    offer(event, index) {
      if (next !== null) return;
      if (isBlocked()) next = index;
      else sendIfWanted(event);
    },
    restart() {
      next = null;
      hasSequence = 0;
      send(withId(control('reset', {})));
    },
    beat() {
      if (isStalledAtBeat()) drop();
      // Has an id, so that a client of a quiet workspace resumes from here and not from its last event.
      else if (!isBlocked() && next === null) send(withId(': still here\n\n'));
    },
    end(reason, retryMs) {
      if (response.writableEnded || response.destroyed) return;
      // A blocked client would hold the connection open until it reads.
      if (isBlocked()) return void response.destroy();
      response.end(`retry: ${retryMs}\n${control('reconnect', { reason })}`);
    },
  };
}
