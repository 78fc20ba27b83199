import { Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { number } from '../../texts/format.ts';
import { uiTexts as t } from '../../texts/ui.ts';
import type { FacetPickerProps } from './facet-picker.tsx';

const OFFERED = 50;

/** The list of a FacetPicker. If the user asked for it, it opens with what was `typed` meanwhile. */
export function FacetSelect(props: FacetPickerProps & { typed: string | null }) {
  const { label, values = [], chosen, pick, typed } = props;
  const known = chosen === undefined || values.some(({ value }) => value === chosen);
  const offered = known ? values : [...values, { value: chosen, count: 0 }];
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves here once
  useEffect(() => {
    if (typed !== null) field.current?.focus();
  }, []);
  return (
    <Select
      ref={field}
      label={label}
      placeholder={t.all}
      w={140}
      searchable
      clearable
      defaultDropdownOpened={typed !== null}
      defaultSearchValue={typed ?? ''}
      // Mantine hides it from keyboards and screen readers.
      clearButtonProps={{ 'aria-hidden': false, tabIndex: 0, size: '24', 'aria-label': t.clear(label) }}
      limit={OFFERED}
      nothingFoundMessage={t.noneContains}
      data={offered.map(({ value, name = value, count }) => ({ value, label: `${name} (${number(count)})` }))}
      value={chosen ?? null}
      onChange={(value) => pick(value ?? undefined)}
    />
  );
}
