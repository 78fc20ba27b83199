export const snoozes = ['hour', 'tomorrow', 'week'] as const;

const HOUR_MS = 3_600_000;
const MORNING = 8;
const DAYS = { tomorrow: 1, week: 7 };

/** Returns the end of a snooze: in an hour, or a later morning in the time zone of the browser. */
export function snoozeUntil(snooze: (typeof snoozes)[number], now = new Date()): string {
  if (snooze === 'hour') return new Date(now.getTime() + HOUR_MS).toISOString();
  const day = now.getDate() + DAYS[snooze];
  return new Date(now.getFullYear(), now.getMonth(), day, MORNING).toISOString();
}
