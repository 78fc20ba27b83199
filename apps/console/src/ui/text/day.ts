const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the API, which begins and ends in UTC, in the reader's words. */
export function dayInWords(time: string): string {
  return DAY.format(new Date(time));
}
