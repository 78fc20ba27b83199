import { List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Markdown } from '../ui/text/markdown.tsx';
import type { Decision } from './decision-words.ts';

type Option = Exclude<Decision['options_considered'][number], string>;

/** The texts of a decision; empty parts are omitted. */
export function DecisionContent({ decision }: { decision: Decision }) {
  const { question, description, options_considered, criteria, resolution, rationale } = decision;
  const options = options_considered.map((option) =>
    typeof option === 'string' ? { title: option, pros: [], cons: [] } : option,
  );
  return (
    <Stack gap="lg">
      {question && (
        <Part title="Question">
          <Text>{question}</Text>
        </Part>
      )}
      {description && (
        <Part title="Description">
          <Markdown>{description}</Markdown>
        </Part>
      )}
      {options.length > 0 && (
        <Part title="Options considered">
          <Stack gap="sm">
            {options.map((option, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two options may say the same, and none moves
              <OptionCard key={at} option={option} />
            ))}
          </Stack>
        </Part>
      )}
      {criteria.length > 0 && (
        <Part title="Criteria">
          <Words words={criteria} />
        </Part>
      )}
      {resolution && (
        <Part title="Resolution">
          <Markdown>{resolution}</Markdown>
        </Part>
      )}
      {rationale && (
        <Part title="Rationale">
          <Markdown>{rationale}</Markdown>
        </Part>
      )}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function OptionCard({ option: { title, pros, cons } }: { option: Option }) {
  return (
    <Paper withBorder p="sm">
      <Text fw={600}>{title}</Text>
      {pros.length + cons.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
          {pros.length > 0 && <Side title="Pros" words={pros} />}
          {cons.length > 0 && <Side title="Cons" words={cons} />}
        </SimpleGrid>
      )}
    </Paper>
  );
}

function Side({ title, words }: { title: string; words: string[] }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Words words={words} />
    </div>
  );
}

function Words({ words }: { words: string[] }) {
  return (
    <List size="sm" pr="md">
      {[...new Set(words)].map((word) => (
        <List.Item key={word}>{word}</List.Item>
      ))}
    </List>
  );
}
