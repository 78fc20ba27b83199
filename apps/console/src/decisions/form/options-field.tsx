import { Button, Fieldset, Group, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { decisionTexts as decision } from '../../texts/decision.ts';
import { decisionFormTexts } from '../../texts/decision-form.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { type DecisionEntries, emptyOption } from '../decision-entries.ts';

type Form = Pick<
  ReturnType<typeof useForm<DecisionEntries>>,
  'getValues' | 'getInputProps' | 'insertListItem' | 'removeListItem'
>;

/** The considered options with their pros and cons. */
export function OptionsField({ form }: { form: Form }) {
  const t = decisionFormTexts.options;
  const { options } = form.getValues();
  return (
    <Fieldset legend={decision.optionsConsidered}>
      {options.length === 0 && <Text c="dimmed">{t.none}</Text>}
      {options.map(({ key }, at) => (
        <Fieldset key={key} legend={t.option(at + 1)} variant="filled" mb="sm">
          <Group align="flex-end" wrap="nowrap">
            <TextInput label={ui.name} flex={1} {...form.getInputProps(`options.${at}.title`)} />
            <Button
              variant="default"
              aria-label={t.remove(at + 1)}
              onClick={() => form.removeListItem('options', at)}
            >
              <Trash2 size={16} aria-hidden />
            </Button>
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
            <Textarea label={t.pros} autosize minRows={2} {...form.getInputProps(`options.${at}.pros`)} />
            <Textarea label={t.cons} autosize minRows={2} {...form.getInputProps(`options.${at}.cons`)} />
          </SimpleGrid>
        </Fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => form.insertListItem('options', emptyOption())}
      >
        {t.add}
      </Button>
    </Fieldset>
  );
}
