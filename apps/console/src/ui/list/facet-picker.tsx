import { TextInput } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { notifyProblem } from '../notify.tsx';

export interface FacetPickerProps {
  label: string;
  /** Without a name, a value is shown as it is. */
  values: { value: string; name?: string; count: number }[] | undefined;
  chosen: string | undefined;
  pick: (value: string | undefined) => void;
}

type FacetSelect = typeof import('./facet-select.tsx')['FacetSelect'];

/**
 * Picks one of the values that occur, found by a part of it; each shows how often it does. The list is a
 * fifth of a page's scripts, so it loads when it is first needed.
 */
export function FacetPicker(props: FacetPickerProps) {
  const { label, chosen } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [List, setList] = useState<FacetSelect | null>(null);
  const isNeeded = typed !== null || chosen !== undefined;
  useEffect(() => {
    if (!isNeeded) return;
    // Not React.lazy: this field stays, with its focus and what is typed, until the list is there.
    import('./facet-select.tsx').then(({ FacetSelect }) => setList(() => FacetSelect), notifyProblem);
  }, [isNeeded]);
  if (List) return <List {...props} typed={typed} />;
  return (
    <TextInput
      label={label}
      placeholder={t.all}
      w={140}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      rightSection={<ChevronsUpDown size={14} aria-hidden color="var(--mantine-color-dimmed)" />}
      rightSectionPointerEvents="none"
      value={typed ?? chosen ?? ''}
      onFocus={() => setTyped((known) => known ?? '')}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
