/** Counts a send and gives 0, or gives the milliseconds until there may be one. */
export type SendWindow = (perSecond: number, nowMs: number) => number;

const WINDOW_MS = 1_000;

/** Whichever second one looks at, it has no more sends than the limit: a bucket of tokens would allow twice as many in its first. */
export function sendWindow(): SendWindow {
  /** When the latest were sent, oldest first, from `first` on. */
  let sent: number[] = [];
  let first = 0;
  return (perSecond, nowMs) => {
    // A clock that was set back says nothing of when these were.
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
