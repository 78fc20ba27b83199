import { Select } from '@mantine/core';
import { number } from '../../texts/format.ts';
import { uiTexts as t } from '../../texts/ui.ts';

const OFFERED = 50;

/** Picks one of the values that occur, found by a part of it; each shows how often it does. */
export function FacetPicker(props: {
  label: string;
  /** Without a name, a value is shown as it is. */
  values: { value: string; name?: string; count: number }[] | undefined;
  chosen: string | undefined;
  pick: (value: string | undefined) => void;
}) {
  const { label, values = [], chosen, pick } = props;
  const known = chosen === undefined || values.some(({ value }) => value === chosen);
  const offered = known ? values : [...values, { value: chosen, count: 0 }];
  return (
    <Select
      label={label}
      placeholder={t.all}
      w={140}
      searchable
      clearable
      // Mantine hides it from keyboards and screen readers.
      clearButtonProps={{ 'aria-hidden': false, tabIndex: 0, size: '24', 'aria-label': t.clear(label) }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      styles={{ dropdown: { maxInlineSize: 'calc(100vw - 2rem)' } }}
      limit={OFFERED}
      nothingFoundMessage={t.noneContains}
      data={offered.map(({ value, name = value, count }) => ({ value, label: `${name} (${number(count)})` }))}
      value={chosen ?? null}
      onChange={(value) => pick(value ?? undefined)}
    />
  );
}
