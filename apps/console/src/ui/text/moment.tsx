import { useSyncExternalStore } from 'react';
import { locale } from '../../texts/language.ts';
import { uiTexts as t } from '../../texts/ui.ts';

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const MINUTES = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
export const SECONDS = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const FORMATS = { day: DAY, minute: MINUTES, second: SECONDS };

const AGO = new Intl.RelativeTimeFormat(locale);
const MINUTE_MS = 60_000;
const UNITS = [
  { unit: 'minute', ms: MINUTE_MS, below: 60 },
  { unit: 'hour', ms: 60 * MINUTE_MS, below: 24 },
  { unit: 'day', ms: 1_440 * MINUTE_MS, below: 31 },
] as const;

/**
 * A time of the API in the user's locale and time zone; `never` is shown for none. A time of the last month
 * is shown as "3 minutes ago", unless its seconds are asked for, because it is compared with others.
 */
export function Moment(props: { at: string | null; never?: string; precision?: keyof typeof FORMATS }) {
  const { at, never = t.never, precision = 'minute' } = props;
  const now = useSyncExternalStore(eachMinute, halfMinute);
  if (at === null) return never;
  const date = new Date(at);
  const ago = precision === 'second' ? undefined : agoInWords(now - date.getTime());
  return (
    <time dateTime={at} title={EXACT.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {ago ?? FORMATS[precision].format(date)}
    </time>
  );
}

function eachMinute(change: () => void): () => void {
  const timer = setInterval(change, MINUTE_MS / 2);
  return () => clearInterval(timer);
}

/** The present, the same within half a minute. */
const halfMinute = () => Math.ceil(Date.now() / (MINUTE_MS / 2)) * (MINUTE_MS / 2);

/** Undefined for the future, unless the clocks differ, and for what is longer ago than a month. */
function agoInWords(ms: number): string | undefined {
  if (ms < -MINUTE_MS / 2) return undefined;
  if (ms < MINUTE_MS) return t.justNow;
  const fits = UNITS.find(({ ms: unitMs, below }) => ms < unitMs * below);
  return fits && AGO.format(-Math.floor(ms / fits.ms), fits.unit);
}
