const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const MORNING = '08:00';

/**
 * Returns the next 08:00 in a time zone; without one, of UTC. It looks at each quarter of an hour, by which
 * all zones differ, so that no change of the clocks matters.
 */
export function nextMorning(nowMs: number, timeZone: string | null): string {
  const of = { timeZone: timeZone ?? 'UTC', hour: '2-digit', minute: '2-digit' } as const;
  const clock = new Intl.DateTimeFormat('en-GB', of);
  const firstMs = (Math.floor(nowMs / QUARTER_MS) + 1) * QUARTER_MS;
  // A day of 25 hours is the longest.
  for (let ms = firstMs; ms < firstMs + 26 * HOUR_MS; ms += QUARTER_MS)
    if (clock.format(ms) === MORNING) return new Date(ms).toISOString();
  return new Date(nowMs + 24 * HOUR_MS).toISOString();
}
