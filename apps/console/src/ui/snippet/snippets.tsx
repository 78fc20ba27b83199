import { Anchor, Button, Code, CopyButton, Group, Stack, Tabs, Text } from '@mantine/core';
import { uiTexts as t } from '../../texts/ui.ts';

/** Commands for a terminal, by language. */
export type Snippet = Record<'curl' | 'TypeScript' | 'Python' | 'Go', string>;

export interface SnippetProps {
  title: string;
  snippet: Snippet;
  /** The page of the documentation that continues from here. */
  guide: string;
}

/** Commands that try out a secret: each can be pasted into a terminal as it is. */
export default function Snippets({ title, snippet, guide }: SnippetProps) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List>
          {Object.keys(snippet).map((language) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(snippet).map(([language, code]) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            <Code
              block
              mah={220}
              tabIndex={0}
              style={{ whiteSpace: 'pre-wrap' }}
              aria-label={t.snippet.commands(language)}
            >
              {code}
            </Code>
            <Group justify="space-between" mt="xs">
              {language === 'TypeScript' && (
                <Text size="xs" c="dimmed">
                  {t.snippet.node}
                </Text>
              )}
              <Anchor href={guide} target="_blank" size="sm">
                {t.documentation}
              </Anchor>
              <CopyButton value={code} timeout={3_000}>
                {({ copied, copy }) => (
                  <Button variant="default" size="xs" onClick={copy}>
                    {copied ? t.copied : t.snippet.copy(language)}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
