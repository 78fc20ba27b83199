import type { EventType } from '@waymark/contracts';

export interface FeedEvent {
  sequence: number;
  workspaceId: string;
  type: EventType;
  text: string;
}

/** A ring buffer of the latest events. Each event has the next index. */
export function recentEvents(max: number) {
  let kept: FeedEvent[] = [];
  let start = 0;
  let end = 0;
  /** No event after this sequence has been dropped. */
  let floor = 0;

  return {
    push(event: FeedEvent): void {
      const dropped = end - start === max ? kept[start % max] : undefined;
      if (dropped) {
        floor = dropped.sequence;
        start += 1;
      }
      kept[end % max] = event;
      end += 1;
    },
    /** Undefined before `start` and from `end` on. */
    at: (index: number) => (index >= start && index < end ? kept[index % max] : undefined),
    /** The index of the oldest event. */
    start: () => start,
    /** The index of the next event. */
    end: () => end,
    /** The index of the first event after a sequence; null when events after it have been dropped. */
    indexAfter(sequence: number): number | null {
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
    /** Drops all events. The next ones come after the sequence `after`. */
    restart(after: number): void {
      kept = [];
      start = end;
      floor = after;
    },
  };
}
