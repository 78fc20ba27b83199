import { Text } from '@mantine/core';

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A time of the API in the user's locale and time zone; `never` is shown for none. */
export function Moment({ at, never = 'never' }: { at: string | null; never?: string }) {
  if (at === null) return <Text span>{never}</Text>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {SHORT.format(date)}
    </time>
  );
}
