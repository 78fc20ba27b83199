import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { HttpMessage } from './http-message.tsx';

/** One attempt: time, duration, request and response. */
export function AttemptDetails({ attempt }: { attempt: Schemas['DeliveryAttempt'] }) {
  const { status, error, request, response_headers, response_body } = attempt;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const name = `attempt ${attempt.attempt}${attempt.series > 1 ? ` of series ${attempt.series}` : ''}`;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <StatusBadge color={isSuccess ? 'teal' : 'red'}>
          {status === null ? 'no answer' : `${status}`}
        </StatusBadge>
        <Text size="sm" tt="capitalize">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          <Moment at={attempt.started_at} precision="second" />, {attempt.latency_ms.toLocaleString()} ms
        </Text>
      </Group>
      {error && (
        <Text size="sm" mt="xs">
          {error}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} mt="sm">
        <HttpMessage
          title="Sent"
          label={`Sent in ${name}`}
          start={request && `${request.method} ${request.url}`}
          headers={request?.headers ?? null}
          body={null}
        />
        {status !== null && (
          <HttpMessage
            title="Answered"
            label={`Answered in ${name}`}
            start={`Status ${status}`}
            headers={response_headers}
            body={response_body || 'The answer had no body.'}
          />
        )}
      </SimpleGrid>
    </Paper>
  );
}
