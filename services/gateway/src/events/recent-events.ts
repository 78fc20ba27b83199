import type { EventType } from '@waymark/contracts';

/** An event ready to be sent. */
export interface FeedEvent {
  sequence: number;
  workspaceId: string;
  type: EventType;
  /** The message as it goes to clients. */
  text: string;
}

/** The latest events by their place, which rises by one with each; the oldest make room. */
export interface RecentEvents {
  push(event: FeedEvent): void;
  /** Undefined before `start` and from `end` on. */
  at(place: number): FeedEvent | undefined;
  /** The place of the oldest event kept, and that of the next to come. */
  start(): number;
  end(): number;
  /** The place of the first event behind a sequence; null when events behind it are gone, so that some would be missed. */
  placeAfter(sequence: number): number | null;
  /** Forgets all. Events behind the sequence `after` follow. */
  restart(after: number): void;
}

export function recentEvents(max: number): RecentEvents {
  let kept: FeedEvent[] = [];
  let start = 0;
  let end = 0;
  /** The sequence behind which nothing has been dropped. */
  let floor = 0;

  return {
    push(event) {
      const dropped = end - start === max ? kept[start % max] : undefined;
      if (dropped) {
        floor = dropped.sequence;
        start += 1;
      }
      kept[end % max] = event;
      end += 1;
    },
    at: (place) => (place >= start && place < end ? kept[place % max] : undefined),
    start: () => start,
    end: () => end,
    placeAfter(sequence) {
      if (sequence < floor) return null;
      let low = start;
      let high = end;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (kept[middle % max]!.sequence > sequence) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    restart(after) {
      kept = [];
      start = end;
      floor = after;
    },
  };
}
