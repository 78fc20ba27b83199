import { Code, Group, Paper, Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { Moment } from '../ui/moment.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';

/** One attempt: when, how long, and what came back. */
export function AttemptDetails({ attempt }: { attempt: Schemas['DeliveryAttempt'] }) {
  const { status, error, response_body } = attempt;
  const isSuccess = status !== null && status >= 200 && status < 300;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <StatusBadge color={isSuccess ? 'teal' : 'red'}>
          {status === null ? 'no answer' : `${status}`}
        </StatusBadge>
        <Text size="sm">
          Attempt {attempt.attempt}
          {attempt.series > 1 && ` of series ${attempt.series}`}
        </Text>
        <Text size="sm" c="dimmed">
          <Moment at={attempt.started_at} />, {attempt.latency_ms.toLocaleString()} ms
        </Text>
      </Group>
      {error && (
        <Text size="sm" mt="xs">
          {error}
        </Text>
      )}
      {response_body ? (
        <Code block mt="xs" mah={240} tabIndex={0} aria-label="Body of the answer">
          {response_body}
        </Code>
      ) : (
        status !== null && (
          <Text size="sm" c="dimmed" mt="xs">
            The answer had no body.
          </Text>
        )
      )}
    </Paper>
  );
}
