import { Code, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { deliveriesTexts as t } from '../../texts/deliveries.ts';

/** A raw HTTP request or response. */
export function HttpMessage(props: {
  title: string;
  /** An accessible name that distinguishes several messages. */
  label: string;
  start: string | null;
  headers: Schemas['HttpHeader'][] | null;
  body: string | null;
}) {
  const { title, label, start, headers, body } = props;
  return (
    <div>
      <Text size="sm" fw={600} mb="2xs">
        {title}
      </Text>
      <Code block mah={320} tabIndex={0} role="region" aria-label={label} style={{ whiteSpace: 'pre-wrap' }}>
        {start && <strong>{start}</strong>}
        {headers?.map(({ name, value }) => `\n${name}: ${value}`)}
        {!headers && t.attempt.noHeaders}
        {body !== null && `\n\n${body}`}
      </Code>
    </div>
  );
}
