import { Text } from '@mantine/core';
import type { Schemas } from '@waymark/client/api';
import { threadTexts as t } from '../texts/thread.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import { hasMention, withNames } from '../ui/text/mentions.ts';
import { usePeople } from '../workspace/people.ts';

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** The text of a message; mentions have the names of now. */
export function MessageText({ content, content_type }: Pick<Schemas['Message'], 'content' | 'content_type'>) {
  const people = usePeople(hasMention(content));
  const isMarkdown = content_type === 'markdown';
  const shown = withNames(content, (id) => {
    const name = people?.find((one) => one.id === id)?.name ?? (people ? t.formerMember : '…');
    return isMarkdown ? name.replace(PUNCTUATION, '\\$&') : name;
  });
  if (isMarkdown) return <Markdown size="sm">{shown}</Markdown>;
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {shown}
    </Text>
  );
}
