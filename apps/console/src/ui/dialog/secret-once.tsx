import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Check, Copy, KeyRound } from 'lucide-react';
import { uiTexts as t } from '../../texts/ui.ts';
import { lazyPart } from '../lazy-page.ts';
import { LazyPart } from '../lazy-part.tsx';
import type { Snippet } from '../snippet/snippets.tsx';

const Snippets = lazyPart(() => import('../snippet/snippets.tsx'));

/** Shows a secret that the server returns only once, with a copy button and commands that try it out. */
export function SecretOnce(props: {
  label: string;
  secret: string;
  note: string;
  snippet?: { title: string; guide: string; of: (secret: string) => Snippet };
  onDone: () => void;
}) {
  const { snippet } = props;
  return (
    <Stack>
      <Alert icon={<KeyRound />} title={t.secret.title(props.label)}>
        <Text size="sm">{props.note}</Text>
      </Alert>
      <Code block aria-label={props.label}>
        {props.secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={props.secret} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? 'default' : 'filled'}
              leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
              onClick={copy}
            >
              {copied ? t.copied : t.copy}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={props.onDone}>
          {t.secret.done}
        </Button>
      </Group>
      {snippet && (
        <LazyPart>
          <Snippets title={snippet.title} guide={snippet.guide} snippet={snippet.of(props.secret)} />
        </LazyPart>
      )}
    </Stack>
  );
}
