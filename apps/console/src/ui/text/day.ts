const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day of the API (UTC) for the user's locale. */
export function dayInWords(time: string): string {
  return DAY.format(new Date(time));
}
