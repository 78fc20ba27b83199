const WINDOW_MS = 1_000;

/**
 * A sliding window, because a token bucket allows twice as many sends in its first second. The function it
 * returns counts a send and returns 0, or returns the milliseconds until one is allowed.
 */
export function sendWindow() {
  /** The times of the latest sends, oldest first. */
  let sent: number[] = [];
  return (perSecond: number, nowMs: number): number => {
    // The clock was set back, so the recorded times are no longer valid.
    if (nowMs < (sent.at(-1) ?? nowMs)) sent = [];
    while (sent.length > 0 && sent[0]! <= nowMs - WINDOW_MS) sent.shift();
    if (sent.length >= perSecond) return sent.at(-perSecond)! + WINDOW_MS - nowMs;
    sent.push(nowMs);
    return 0;
  };
}
