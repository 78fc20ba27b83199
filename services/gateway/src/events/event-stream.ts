import type { EventType } from '@waymark/contracts';
import type { Exchange } from '../exchange/exchange.ts';
import type { EventFeed } from './event-feed.ts';
import type { FeedEvent } from './recent-events.ts';

/** One client's stream: what it has not taken yet stays in the feed, never in a buffer of its own. */
export interface EventStream {
  exchange: Exchange;
  workspaceId: string;
  /** Sends `ready`, and what came since `lastEventId`. */
  begin(lastEventId: string | null): void;
  /** A new event of the workspace, at its place in the feed. */
  offer(event: FeedEvent, place: number): void;
  /** The feed begins anew: the client is to read everything again. */
  restart(): void;
  beat(): void;
  end(reason: 'access' | 'drain', retryMs: number): void;
  onClose(run: () => void): void;
}

/** Heartbeats during which a client may take nothing. */
const STALLED_BEATS_MAX = 2;
const RETRY_MS = 2_000;

export function openStream(options: {
  exchange: Exchange;
  feed: EventFeed;
  workspaceId: string;
  wants: (type: EventType) => boolean;
  /** Called when the client was too slow and is cut off; it resumes when it comes again. */
  dropped: () => void;
}): EventStream {
  const { exchange, feed, workspaceId, wants } = options;
  const { response } = exchange;
  /** The place of the next event to look at; null while the client has all there is. */
  let place: number | null = null;
  /** Events up to this sequence the client has: another gateway may have been ahead of this one. */
  let hasSequence = 0;
  let isBlocked = false;
  let stalledBeats = 0;

  response.on('drain', () => {
    isBlocked = false;
    stalledBeats = 0;
    catchUp();
  });

  function send(text: string): void {
    if (response.writableEnded || response.destroyed) return;
    if (!response.write(text)) isBlocked = true;
  }

  function sendIfWanted(event: FeedEvent): void {
    if (event.workspaceId !== workspaceId || event.sequence <= hasSequence || !wants(event.type)) return;
    send(event.text);
  }

  function catchUp(): void {
    while (place !== null && !isBlocked) {
      if (place >= feed.recent.end()) place = null;
      else if (place < feed.recent.start()) {
        drop();
        return;
      } else {
        sendIfWanted(feed.recent.at(place)!);
        place += 1;
      }
    }
  }

  function drop(): void {
    options.dropped();
    response.destroy();
  }

  const control = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const positioned = (text: string) => `id: ${feed.position(feed.latest())}\n${text}`;

  return {
    exchange,
    workspaceId,
    begin(lastEventId) {
      const sequence = lastEventId === null ? null : feed.sequenceIn(lastEventId);
      const resumed = sequence === null ? null : feed.recent.placeAfter(sequence);
      if (sequence !== null && resumed !== null) {
        // Its own id again: the client has not seen what follows yet.
        send(`retry: ${RETRY_MS}\nid: ${lastEventId}\n${control('ready', { resumed: true })}`);
        hasSequence = sequence;
        place = resumed;
        return catchUp();
      }
      if (lastEventId !== null) send(positioned(control('reset', {})));
      send(`retry: ${RETRY_MS}\n${positioned(control('ready', { resumed: false }))}`);
    },
    offer(event, at) {
      if (place !== null) return;
      if (isBlocked) place = at;
      else sendIfWanted(event);
    },
    restart() {
      place = null;
      hasSequence = 0;
      send(positioned(control('reset', {})));
    },
    beat() {
      if (isBlocked) {
        stalledBeats += 1;
        if (stalledBeats >= STALLED_BEATS_MAX) drop();
      } else if (place === null) {
        // With the position: a client of a quiet workspace resumes from here, not from its last event.
        send(positioned(': still here\n\n'));
      }
    },
    end(reason, retryMs) {
      if (response.writableEnded || response.destroyed) return;
      // What a blocked client has not taken would hold the connection open.
      if (isBlocked) return void response.destroy();
      response.end(`retry: ${retryMs}\n${control('reconnect', { reason })}`);
    },
    onClose(run) {
      response.once('close', run);
    },
  };
}
