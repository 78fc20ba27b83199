/** Counts a send and returns 0, or returns the milliseconds until one is allowed. */
export type SendWindow = (perSecond: number, nowMs: number) => number;

const WINDOW_MS = 1_000;

/**
 * A sliding window: no second has more sends than the limit. A token bucket would allow twice as many in its
 * first second.
 */
export function sendWindow(): SendWindow {
  /** The times of the latest sends, oldest first, from index `first` on. */
  let sent: number[] = [];
  let first = 0;
  return (perSecond, nowMs) => {
    // The clock was set back, so the recorded times are no longer valid.
    if (nowMs < (sent.at(-1) ?? nowMs)) first = sent.length;
    while (first < sent.length && sent[first]! <= nowMs - WINDOW_MS) first += 1;
    if (first * 2 > sent.length) {
      sent = sent.slice(first);
      first = 0;
    }
    if (sent.length - first >= perSecond) return sent[sent.length - perSecond]! + WINDOW_MS - nowMs;
    sent.push(nowMs);
    return 0;
  };
}
