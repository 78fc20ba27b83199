import { Alert, Anchor, Button, CopyButton, Group, List, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { problemOf } from '../api/problem.ts';

/** An error message with the request id for support. */
export function ProblemAlert({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, issues, requestId, docs } = problemOf(error);
  return (
    <Alert color="red" variant="outline" title={title} icon={<CircleAlert aria-hidden />} role="alert">
      <Text size="sm">{detail}</Text>
      {issues.length > 0 && (
        <List size="sm" mt="xs">
          {issues.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <strong>{path}</strong>: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Group mt="sm" gap="sm">
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        {requestId && (
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy} title={requestId}>
                {copied ? 'Copied' : 'Copy request id'}
              </Button>
            )}
          </CopyButton>
        )}
        {docs && (
          <Anchor size="sm" href={docs} target="_blank">
            What this means
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}
