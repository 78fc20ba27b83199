/** How many times slower than a quiet machine of two cores this one was when the run began. */
const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1);

/** Returns the time that a test waits here for what a quiet machine of two cores does within `ms`. */
export function patience(ms: number): number {
  return Math.round(ms * slowness);
}
