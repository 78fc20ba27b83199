import {
  Box,
  Button,
  Group,
  Input,
  NativeSelect,
  Paper,
  SimpleGrid,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { entryFor, nameIn } from '../../api/person-entry.ts';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { sentence } from '../../texts/format.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import { usePeople } from '../../workspace/people.ts';
import type { DecisionEntries, Section } from '../decision-entries.ts';
import { STATUSES } from '../decision-words.ts';
import { LinkedDecisionsField } from './linked-decisions-field.tsx';
import { OptionsField } from './options-field.tsx';
import type { useDecisionForm } from './use-decision-form.ts';

/** The fields of one section of a decision. */
export function SectionFields(props: {
  section: Section['id'];
  form: ReturnType<typeof useDecisionForm>['form'];
  /** The edited decision, which cannot link to itself. */
  self?: string | undefined;
  /** A new decision cannot be archived. */
  isNew: boolean;
  /** Whether an outcome has frozen the confidence. */
  isFrozen: boolean;
}) {
  const { field: labelOf } = decision;
  const { section, form, self, isNew, isFrozen } = props;
  const field = (name: keyof DecisionEntries) => form.getInputProps(name);
  switch (section) {
    case 'title':
      return (
        <TitleField
          isFocused={isNew}
          required={!isNew || form.values.question.trim() === ''}
          {...field('title')}
        />
      );
    case 'context':
      return (
        <>
          <TextInput label={labelOf('question')} placeholder={t.questionHint} {...field('question')} />
          <MarkdownField label={labelOf('description')} {...field('description')} />
        </>
      );
    case 'options':
      return (
        <>
          <OptionsField form={form} />
          <Textarea label={t.criteria} autosize minRows={2} {...field('criteria')} />
        </>
      );
    case 'reasons':
      return (
        <>
          <TextInput label={labelOf('resolution')} placeholder={t.resolutionHint} {...field('resolution')} />
          <MarkdownField label={labelOf('rationale')} {...field('rationale')} />
        </>
      );
    case 'forecast':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={labelOf('expected_by')} type="date" {...field('expectedBy')} />
          {!isFrozen && <TextInput label={t.forecast} inputMode="decimal" {...field('forecast')} />}
        </SimpleGrid>
      );
    case 'facts':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={labelOf('tags')} placeholder={t.tagsHint} {...field('tags')} />
          <TextInput label={labelOf('decision_type')} placeholder={t.typeHint} {...field('decisionType')} />
          <NativeSelect
            label={labelOf('status')}
            data={STATUSES.filter((status) => !isNew || status !== 'archived').map((value) => ({
              value,
              label: sentence(words.status[value]),
            }))}
            {...field('status')}
          />
          <TextInput label={labelOf('decided_by')} {...field('decidedBy')} />
          <PeopleField label={labelOf('deciders')} {...field('deciders')} />
          <PeopleField label={labelOf('consulted')} {...field('consulted')} />
          <PeopleField label={labelOf('informed')} {...field('informed')} />
        </SimpleGrid>
      );
    case 'review':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={labelOf('review_by')} type="date" {...field('reviewBy')} />
          <TextInput
            label={labelOf('review_every_months')}
            type="number"
            min={1}
            max={60}
            {...field('reviewEveryMonths')}
          />
        </SimpleGrid>
      );
    case 'links':
      return (
        <>
          <LinkedDecisionsField
            label={labelOf('supersedes')}
            description={t.links.supersedesHint}
            most={1}
            self={self}
            {...field('supersedes')}
          />
          <LinkedDecisionsField
            label={t.links.related}
            description={t.links.relatedHint}
            most={50}
            self={self}
            {...field('relatesTo')}
          />
        </>
      );
  }
}

/** The line that a new decision begins with. */
function TitleField({ isFocused, ...others }: ComponentProps<typeof TextInput> & { isFocused: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return <TextInput ref={input} label={decision.field('title')} size="md" {...others} />;
}

/** A Markdown editor with preview. */
function MarkdownField({
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

const PEOPLE_MAX = 50;

/** Names members, whom it offers, and others. `value` has user ids and names. */
function PeopleField(props: {
  label: string;
  value?: string[];
  onChange?: (people: string[]) => void;
  error?: ReactNode;
}) {
  const { label, value = [], onChange, error } = props;
  const people = usePeople() ?? [];
  return (
    <TagsInput
      label={label}
      data={[...new Set(people.map(({ name }) => name))]}
      maxTags={PEOPLE_MAX}
      value={value.map((entry) => nameIn(people, entry))}
      onChange={(names) => onChange?.(names.map((name) => entryFor(people, name.trim(), value)))}
      error={error}
    />
  );
}
