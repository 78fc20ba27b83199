import { Button, Grid, NativeSelect, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useDeferredValue } from 'react';
import { Form } from '../../ui/form.tsx';
import { FormSteps } from '../../ui/form-steps.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type DecisionEntries, percentOf } from '../decision-entries.ts';
import { type Decision, STATUSES } from '../decision-words.ts';
import { QualityBreakdown } from '../page/quality-breakdown.tsx';
import { draftQuality } from './draft-quality.ts';
import { LinkedDecisionsField } from './linked-decisions-field.tsx';
import { MarkdownField } from './markdown-field.tsx';
import { OptionsField } from './options-field.tsx';

/** The form of a decision with its quality score. Calls `save` with the values. */
export function DecisionForm(props: {
  initial: DecisionEntries;
  act: string;
  /** The edited decision, which cannot link to itself. */
  self?: string;
  /** A new decision cannot be archived. */
  isNew: boolean;
  /** The kind of the confidence that the first outcome froze; undefined while there can be a forecast. */
  frozenKind?: Decision['outcome_confidence_kind'] | undefined;
  error: unknown;
  /** Shown instead of the error's message. */
  explanation?: ReactNode;
  isSaving: boolean;
  save: (entries: DecisionEntries) => void;
  cancel: ReactNode;
}) {
  const { initial, act, self, isNew, frozenKind, error, explanation, isSaving, save, cancel } = props;
  const form = useForm<DecisionEntries>({
    initialValues: initial,
    validate: {
      title: (title, { question }) =>
        title.trim() === '' && (!isNew || question.trim() === '') ? 'Give it a title' : null,
      forecast: (forecast) =>
        percentOf(forecast) >= 0 && percentOf(forecast) <= 100 ? null : 'A number from 0 to 100',
      options: {
        title: (title, { options }, path) => {
          const { pros = '', cons = '' } = options[Number(path.split('.')[1])] ?? {};
          return title.trim() === '' && (pros + cons).trim() !== '' ? 'Name the option' : null;
        },
      },
    },
  });
  useUnsaved(form.isDirty());
  const quality = draftQuality(useDeferredValue(form.values), frozenKind);
  const field = (name: keyof DecisionEntries) => form.getInputProps(name);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Form
          onSubmit={form.onSubmit(save)}
          error={error}
          explanation={explanation}
          form={form}
          label="Decision"
          noValidate
        >
          <FormSteps
            steps={[
              {
                name: 'What it is about',
                fields: (
                  <>
                    <TextInput
                      label="Title"
                      required={!isNew || form.values.question.trim() === ''}
                      data-autofocus
                      {...field('title')}
                    />
                    <TextInput
                      label="Question"
                      placeholder="What has to be decided?"
                      {...field('question')}
                    />
                    <MarkdownField label="Description" {...field('description')} />
                  </>
                ),
              },
              {
                name: 'Options and criteria',
                fields: (
                  <>
                    <OptionsField form={form} />
                    <Textarea label="Criteria, one per line" autosize minRows={2} {...field('criteria')} />
                  </>
                ),
              },
              {
                name: 'What was decided and why',
                fields: (
                  <>
                    <TextInput label="Resolution" placeholder="What was chosen" {...field('resolution')} />
                    <MarkdownField label="Rationale" {...field('rationale')} />
                  </>
                ),
              },
              {
                name: 'Facts and forecast',
                fields: (
                  <>
                    <SimpleGrid cols={{ base: 1, sm: 2 }}>
                      <NativeSelect
                        label="Status"
                        data={isNew ? STATUSES.filter((status) => status !== 'archived') : STATUSES}
                        {...field('status')}
                      />
                      <TextInput label="Type" placeholder="architecture" {...field('decisionType')} />
                      <TextInput label="Tags" placeholder="storage, cost" {...field('tags')} />
                      <TextInput label="Decided by" {...field('decidedBy')} />
                      <TextInput label="Outcome expected by" type="date" {...field('expectedBy')} />
                      {frozenKind === undefined && (
                        <TextInput
                          label="Forecast of success, in percent"
                          inputMode="decimal"
                          {...field('forecast')}
                        />
                      )}
                    </SimpleGrid>
                  </>
                ),
              },
              {
                name: 'Links',
                fields: (
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
                ),
              },
            ]}
            status={
              <Text size="sm" fw={600} role="status">
                Score {quality.score}
              </Text>
            }
          >
            <Button type="submit" loading={isSaving}>
              {act}
            </Button>
            {cancel}
          </FormSteps>
        </Form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <div style={{ position: 'sticky', top: 76 }}>
          <QualityBreakdown quality={quality} />
        </div>
      </Grid.Col>
    </Grid>
  );
}
