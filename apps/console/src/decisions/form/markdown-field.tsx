import { Box, Button, Group, Input, Paper, Text, Textarea } from '@mantine/core';
import { type ComponentProps, useId, useState } from 'react';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { Markdown } from '../../ui/text/markdown.tsx';

/** A Markdown editor with preview. */
export function MarkdownField({
  label,
  value = '',
  ...others
}: ComponentProps<typeof Textarea> & { label: string; value?: string }) {
  const [isWanted, setPreview] = useState(false);
  const isPreview = isWanted && !others.error;
  const id = useId();
  return (
    <Box>
      <Group justify="space-between" align="flex-end" mb="2xs">
        <Input.Label htmlFor={id}>{label}</Input.Label>
        <Button
          size="compact-sm"
          variant={isPreview ? 'filled' : 'default'}
          aria-pressed={isPreview}
          aria-label={t.previewOf(label)}
          onClick={() => setPreview(!isPreview)}
        >
          {t.preview}
        </Button>
      </Group>
      {isPreview && (
        <Paper withBorder p="sm" mb="xs" mih={120}>
          {value.trim() ? (
            <Markdown heading="h2">{value}</Markdown>
          ) : (
            <Text c="dimmed">{t.previewEmpty}</Text>
          )}
        </Paper>
      )}
      <Box display={isPreview ? 'none' : undefined}>
        <Textarea id={id} autosize minRows={4} maxRows={24} value={value} {...others} />
      </Box>
    </Box>
  );
}
