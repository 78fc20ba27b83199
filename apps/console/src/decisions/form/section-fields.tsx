import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useRef } from 'react';
import type { DecisionEntries } from '../decision-entries.ts';
import { STATUSES } from '../decision-words.ts';
import type { Section } from './decision-sections.ts';
import { LinkedDecisionsField } from './linked-decisions-field.tsx';
import { MarkdownField } from './markdown-field.tsx';
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
          <TextInput label="Question" placeholder="What has to be decided?" {...field('question')} />
          <MarkdownField label="Description" {...field('description')} />
        </>
      );
    case 'options':
      return (
        <>
          <OptionsField form={form} />
          <Textarea label="Criteria, one per line" autosize minRows={2} {...field('criteria')} />
        </>
      );
    case 'reasons':
      return (
        <>
          <TextInput label="Resolution" placeholder="What was chosen" {...field('resolution')} />
          <MarkdownField label="Rationale" {...field('rationale')} />
        </>
      );
    case 'forecast':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Outcome expected by" type="date" {...field('expectedBy')} />
          {!isFrozen && (
            <TextInput label="Forecast of success, in percent" inputMode="decimal" {...field('forecast')} />
          )}
        </SimpleGrid>
      );
    case 'facts':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Tags" placeholder="storage, cost" {...field('tags')} />
          <TextInput label="Type" placeholder="architecture" {...field('decisionType')} />
          <NativeSelect
            label="Status"
            data={isNew ? STATUSES.filter((status) => status !== 'archived') : STATUSES}
            {...field('status')}
          />
          <TextInput label="Decided by" {...field('decidedBy')} />
        </SimpleGrid>
      );
    case 'links':
      return (
        <>
          <LinkedDecisionsField
            label="Supersedes"
            description="The decision that this one replaces"
            most={1}
            self={self}
            {...field('supersedes')}
          />
          <LinkedDecisionsField
            label="Related decisions"
            description="They link back to this decision"
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
  return <TextInput ref={input} label="Title" size="md" {...others} />;
}
