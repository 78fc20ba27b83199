import { Code, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { Moment } from '../../ui/text/moment.tsx';

/** One attempt: time, duration, request and response. */
export function AttemptDetails({ attempt }: { attempt: Schemas['DeliveryAttempt'] }) {
  const t = deliveriesTexts.attempt;
  const { status, error, request, response_headers, response_body } = attempt;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const name = [attempt.attempt, attempt.series] as const;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <StatusBadge color={isSuccess ? 'teal' : 'red'}>
          {status === null ? t.noAnswer : `${status}`}
        </StatusBadge>
        <Text size="sm">{t.title(...name)}</Text>
        <Hint>{t.duration(<Moment at={attempt.started_at} precision="second" />, attempt.latency_ms)}</Hint>
      </Group>
      {error && (
        <Text size="sm" mt="xs">
          {error}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} mt="sm">
        <HttpMessage
          title={t.sent}
          label={t.sentIn(...name)}
          start={request && `${request.method} ${request.url}`}
          headers={request?.headers ?? null}
          body={null}
        />
        {status !== null && (
          <HttpMessage
            title={t.answered}
            label={t.answeredIn(...name)}
            start={t.status(status)}
            headers={response_headers}
            body={response_body || t.noBody}
          />
        )}
      </SimpleGrid>
    </Paper>
  );
}

/** A raw HTTP request or response. */
function HttpMessage(props: {
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
        {!headers && deliveriesTexts.attempt.noHeaders}
        {body !== null && `\n\n${body}`}
      </Code>
    </div>
  );
}
