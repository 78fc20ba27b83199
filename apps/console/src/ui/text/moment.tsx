import { locale } from '../../texts/language.ts';
import { uiTexts as t } from '../../texts/ui.ts';

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const MINUTES = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
export const SECONDS = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const FORMATS = { day: DAY, minute: MINUTES, second: SECONDS };

/**
 * A time of the API in the user's locale and time zone; `never` is shown for none. Times that are compared
 * with each other have seconds, and those of a wide table only the day.
 */
export function Moment(props: { at: string | null; never?: string; precision?: keyof typeof FORMATS }) {
  const { at, never = t.never, precision = 'minute' } = props;
  if (at === null) return never;
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {FORMATS[precision].format(date)}
    </time>
  );
}
