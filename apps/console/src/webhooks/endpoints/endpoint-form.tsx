import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@waymark/client/api';
import { webhooksTexts as t } from '../../texts/webhooks.ts';
import { Form } from '../../ui/form.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { EventChoice } from './event-choice.tsx';

export type EndpointEntries = Required<Omit<Schemas['WebhookUpdate'], 'workspaceId' | 'enabled'>>;

/** The settings of an endpoint. Calls `save` and shows its validation errors. */
export function EndpointForm(props: {
  initial: EndpointEntries;
  act: string;
  error: unknown;
  isSaving: boolean;
  save: (entries: EndpointEntries) => void;
}) {
  const { initial, act, error, isSaving, save } = props;
  const form = useForm({
    initialValues: {
      url: initial.url,
      description: initial.description,
      events: initial.events as string[],
      maxPerSecond: initial.maxPerSecond?.toString() ?? '',
    },
    validate: { events: (events) => (events.length === 0 ? t.form.noEvents : null) },
  });
  useUnsaved(form.isDirty());
  const submit = form.onSubmit((values) =>
    save({
      ...values,
      events: values.events as EndpointEntries['events'],
      maxPerSecond: values.maxPerSecond === '' ? null : Number(values.maxPerSecond),
    }),
  );
  return (
    <Form onSubmit={submit} error={error} form={form}>
      <TextInput
        label={t.form.address}
        type="url"
        placeholder="https://example.com/hooks/waymark"
        required
        {...form.getInputProps('url')}
      />
      <TextInput label={t.form.description} {...form.getInputProps('description')} />
      <EventChoice {...form.getInputProps('events')} />
      <TextInput
        label={t.form.maxPerSecond}
        description={t.form.maxPerSecondHint}
        inputMode="numeric"
        pattern="[0-9]*"
        {...form.getInputProps('maxPerSecond')}
      />
      <Button type="submit" loading={isSaving}>
        {act}
      </Button>
    </Form>
  );
}
