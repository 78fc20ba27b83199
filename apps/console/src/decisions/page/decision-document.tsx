import { List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts as t } from '../../texts/decision-page.ts';
import { Hint } from '../../ui/text/hint.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import type { Decision } from '../decision-words.ts';
import { AddSections, Editable, type Editing } from './editable.tsx';

type Option = Exclude<Decision['options_considered'][number], string>;

/** The texts of a decision: first the resolution and its reasons; empty parts are omitted. */
export function DecisionDocument({ decision, editing }: { decision: Decision; editing: Editing }) {
  const { field: labelOf, optionsConsidered } = decisionTexts;
  const { question, description, options_considered, criteria, resolution, rationale } = decision;
  const options = options_considered.map((option) =>
    typeof option === 'string' ? { title: option, pros: [], cons: [] } : option,
  );
  const shown = {
    reasons: Boolean(resolution || rationale),
    context: Boolean(question || description),
    options: options.length + criteria.length > 0,
    forecast: decision.expected_by !== null || decision.outcome_confidence !== null,
  };
  const textOf = (field: 'resolution' | 'rationale' | 'description') =>
    decision[field] && (
      <Part title={labelOf(field)}>
        <Markdown>{decision[field]}</Markdown>
      </Part>
    );
  const missing = (['reasons', 'context', 'options', 'forecast'] as const).filter((id) => !shown[id]);
  return (
    <Stack gap="lg">
      {shown.reasons && (
        <Editable section="reasons" editing={editing} gap="lg">
          {textOf('resolution')}
          {textOf('rationale')}
        </Editable>
      )}
      {shown.context && (
        <Editable section="context" editing={editing} gap="lg">
          {question && (
            <Part title={labelOf('question')}>
              <Text>{question}</Text>
            </Part>
          )}
          {textOf('description')}
        </Editable>
      )}
      {shown.options && (
        <Editable section="options" editing={editing} gap="lg">
          {options.length > 0 && (
            <Part title={optionsConsidered}>
              <Stack gap="sm">
                {options.map((option, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two options may say the same, and none moves
                  <OptionCard key={at} option={option} />
                ))}
              </Stack>
            </Part>
          )}
          {criteria.length > 0 && (
            <Part title={labelOf('criteria')}>
              <Words words={criteria} />
            </Part>
          )}
        </Editable>
      )}
      <AddSections missing={missing} editing={editing} />
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb="2xs">
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
          {pros.length > 0 && <Side title={t.pros} words={pros} />}
          {cons.length > 0 && <Side title={t.cons} words={cons} />}
        </SimpleGrid>
      )}
    </Paper>
  );
}

function Side({ title, words }: { title: string; words: string[] }) {
  return (
    <div>
      <Hint>{title}</Hint>
      <Words words={words} />
    </div>
  );
}

function Words({ words }: { words: string[] }) {
  return (
    <List size="sm" pe="md">
      {[...new Set(words)].map((word) => (
        <List.Item key={word}>{word}</List.Item>
      ))}
    </List>
  );
}
