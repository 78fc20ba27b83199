import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Check, Copy, KeyRound } from 'lucide-react';

/** Shows a secret that the server returns only once, with a copy button. */
export function SecretOnce(props: { label: string; secret: string; note: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert
        variant="outline"
        icon={<KeyRound aria-hidden />}
        title={`Copy the ${props.label} now: it is not shown again`}
      >
        <Text size="sm">{props.note}</Text>
      </Alert>
      <Code block aria-label={props.label} style={{ whiteSpace: 'pre-wrap' }}>
        {props.secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={props.secret} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={props.onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
