import { locale } from '../../texts/language.ts';

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day of the API (UTC) for the user's locale. */
export function dayInWords(time: string): string {
  return DAY.format(new Date(time));
}
