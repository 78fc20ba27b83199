import { Tabs } from '@mantine/core';
import { threadTexts as t } from '../texts/thread.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import type { MessageFieldProps } from './message-field.tsx';
import MessageInput from './message-input.tsx';

/** The field for a new message, with a preview. */
export default function MessageEditor(props: MessageFieldProps) {
  return (
    <Tabs defaultValue="write" variant="outline">
      <Tabs.List>
        <Tabs.Tab value="write">{t.write}</Tabs.Tab>
        <Tabs.Tab value="preview">{t.preview}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write" pt="xs">
        <MessageInput placeholder={t.markdown} {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="preview" pt="xs">
        <Markdown size="sm">{props.value || t.noPreview}</Markdown>
      </Tabs.Panel>
    </Tabs>
  );
}
