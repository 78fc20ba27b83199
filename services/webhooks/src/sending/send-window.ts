const WINDOW_MS = 1_000;

/**
 * Limits sends in a sliding window; a token bucket would allow twice as many in its first second. Returns a
 * function that counts a send and returns 0, or returns the milliseconds until a send is allowed.
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
