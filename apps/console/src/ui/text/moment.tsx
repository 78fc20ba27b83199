import { Text } from '@mantine/core';

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
export const SECONDS = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/**
 * A time of the API in the user's locale and time zone; `never` is shown for none. Times that are compared
 * with each other have seconds.
 */
export function Moment(props: { at: string | null; never?: string; hasSeconds?: boolean }) {
  const { at, never = 'never', hasSeconds = false } = props;
  if (at === null) return <Text span>{never}</Text>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {(hasSeconds ? SECONDS : SHORT).format(date)}
    </time>
  );
}
