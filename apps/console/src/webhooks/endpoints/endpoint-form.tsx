import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@waymark/client/api';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { useReturnedInput } from '../../ui/dialog/use-returned-input.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { EventChoice } from './event-choice.tsx';

/** The events for people in a channel; the others are for programs. */
const FOR_PEOPLE = [
  'decision.created',
  'decision.updated',
  'decision.outcome_logged',
  'decision.approval_requested',
  'decision.approved',
  'decision.objected',
  'thread.message_created',
  'workspace.import_finished',
] satisfies Schemas['WebhookCreate']['events'];

const ADDRESSES = {
  waymark: 'https://example.com/hooks/waymark',
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….logic.azure.com/workflows/…',
  discord: 'https://discord.com/api/webhooks/…',
};

export type EndpointEntries = Required<Omit<Schemas['WebhookUpdate'], 'workspaceId' | 'enabled'>>;

/** The settings of an endpoint. Makes the change `save` and shows its validation errors. */
export function EndpointForm(props: {
  initial: EndpointEntries;
  act: string;
  save: { error: unknown; isPending: boolean; mutate: (entries: EndpointEntries) => void };
}) {
  const t = webhooksTexts;
  const { initial, act, save } = props;
  const form = useForm({
    initialValues: {
      url: initial.url,
      description: initial.description,
      format: initial.format,
      events: initial.events as string[],
      maxPerSecond: initial.maxPerSecond?.toString() ?? '',
    },
    validate: { events: (events) => (events.length === 0 ? t.form.noEvents : null) },
  });
  useUnsaved(form.isDirty() && !save.isPending);
  const keep = useReturnedInput(act, form);
  const submit = form.onSubmit((values) => {
    save.mutate({
      ...values,
      events: values.events as EndpointEntries['events'],
      maxPerSecond: values.maxPerSecond === '' ? null : Number(values.maxPerSecond),
    });
    keep();
  });
  const { format } = form.values;
  const chooseFormat = (chosen: EndpointEntries['format']) => {
    form.setFieldValue('format', chosen);
    if (initial.url !== '' || chosen === 'waymark' || form.isDirty('events')) return;
    // Chats refuse more than about one message a second.
    form.setValues({ events: FOR_PEOPLE, maxPerSecond: '1' });
  };
  return (
    <Form onSubmit={submit} error={save.error} form={form}>
      <NativeSelect
        label={t.form.format}
        data={Object.entries(t.form.formats).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('format')}
        onChange={(event) => chooseFormat(event.currentTarget.value as EndpointEntries['format'])}
      />
      <TextInput
        label={t.form.address}
        description={t.form.addressHints[format]}
        type="url"
        placeholder={ADDRESSES[format]}
        required
        {...form.getInputProps('url')}
      />
      <TextInput label={t.form.description} {...form.getInputProps('description')} />
      <EventChoice
        hint={format === 'waymark' ? undefined : t.form.chatHint}
        {...form.getInputProps('events')}
      />
      <TextInput
        label={t.form.maxPerSecond}
        description={t.form.maxPerSecondHint}
        inputMode="numeric"
        pattern="[0-9]*"
        {...form.getInputProps('maxPerSecond')}
      />
      <SubmitButton of={save}>{act}</SubmitButton>
    </Form>
  );
}
