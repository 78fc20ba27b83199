import { Text } from '@mantine/core';
import { uiTexts as t } from '../../texts/ui.ts';
import { dayInWords } from './day.ts';
import { Hint } from './hint.ts';
import { SECONDS } from './moment.tsx';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value before or after a change: texts as they are, a line each; times in words; the rest as JSON. */
export function ChangedValue({ value }: { value?: unknown }) {
  if (value === null || value === undefined) {
    return <Hint>{t.none}</Hint>;
  }
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {inWords(value)}
    </Text>
  );
}

function inWords(value: unknown): string {
  if (typeof value === 'string') {
    if (!ISO_TIME.test(value)) return value;
    // A day is stored as its last millisecond.
    return value.endsWith('T23:59:59.999Z') ? dayInWords(value) : SECONDS.format(new Date(value));
  }
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return value.join('\n') || t.none;
  return JSON.stringify(value, null, 2);
}
