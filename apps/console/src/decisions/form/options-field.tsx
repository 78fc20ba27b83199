import { Button, Fieldset, Group, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { type DecisionEntries, emptyOption } from '../decision-entries.ts';

type Form = Pick<
  ReturnType<typeof useForm<DecisionEntries>>,
  'getValues' | 'getInputProps' | 'insertListItem' | 'removeListItem'
>;

/** The considered options with their pros and cons. */
export function OptionsField({ form }: { form: Form }) {
  const { options } = form.getValues();
  return (
    <Fieldset legend="Options considered">
      {options.length === 0 && (
        <Text c="dimmed">What else could be done? Doing nothing is an option too.</Text>
      )}
      {options.map(({ key }, at) => (
        <Fieldset key={key} legend={`Option ${at + 1}`} variant="filled" mb="sm">
          <Group align="flex-end" wrap="nowrap">
            <TextInput label="Name" flex={1} {...form.getInputProps(`options.${at}.title`)} />
            <Button
              variant="default"
              aria-label={`Remove option ${at + 1}`}
              onClick={() => form.removeListItem('options', at)}
            >
              <Trash2 size={16} aria-hidden />
            </Button>
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
            <Textarea
              label="Pros, one per line"
              autosize
              minRows={2}
              {...form.getInputProps(`options.${at}.pros`)}
            />
            <Textarea
              label="Cons, one per line"
              autosize
              minRows={2}
              {...form.getInputProps(`options.${at}.cons`)}
            />
          </SimpleGrid>
        </Fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => form.insertListItem('options', emptyOption())}
      >
        Add an option
      </Button>
    </Fieldset>
  );
}
