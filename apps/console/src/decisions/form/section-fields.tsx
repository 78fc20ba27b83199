import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useRef } from 'react';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import type { DecisionEntries, Section } from '../decision-entries.ts';
import { STATUSES } from '../decision-words.ts';
import { LinkedDecisionsField } from './linked-decisions-field.tsx';
import { MarkdownField } from './markdown-field.tsx';
import { OptionsField } from './options-field.tsx';
import { PeopleField } from './people-field.tsx';
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
              label: words.status[value],
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
