import {
  Checkbox,
  Chip,
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { number, sentence } from '../../texts/format.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { ToolbarPopover } from '../../ui/dialog/toolbar-popover.tsx';
import { DAYS, DEFAULT_SORT, type DecisionFilters, listOf } from '../views/decision-filters.ts';
import './add-filter.css';
import type { useDecisionFacets } from './decision-facets.ts';

const OFFERED = 50;

interface Value {
  value: string;
  name?: string;
  count: number;
}

/** Options for the values that occur, with their counts, and for chosen values that no longer occur. */
function optionsOf(values: Value[] = [], chosen: string[]) {
  const unknown = chosen.filter((one) => !values.some(({ value }) => value === one));
  return [
    ...values.map(({ value, name = value, count }) => ({ value, label: `${name} (${number(count)})` })),
    ...unknown,
  ];
}

/** A field for each filter of the list. The chips beside the button show the filters that are set. */
export default function AddFilter(props: {
  filters: DecisionFilters;
  facets: ReturnType<typeof useDecisionFacets>;
  filter: (change: Record<string, unknown>) => void;
}) {
  const { filters, facets, filter } = props;
  const authors = facets?.authors.map(({ id, ...author }) => ({ value: id, ...author }));
  const found = {
    searchable: true,
    limit: OFFERED,
    nothingFoundMessage: ui.noneContains,
    comboboxProps: { withinPortal: false },
  };
  return (
    <ToolbarPopover label={t.addFilter} icon={ListFilter} position="bottom-start" width={340}>
      {() => (
        <Stack gap="sm">
          <Choice name="status" label={t.status} labels={words.status} filters={filters} filter={filter} />
          <Choice name="outcome" label={t.outcome} labels={words.outcome} filters={filters} filter={filter} />
          <MultiSelect
            label={t.tag}
            data={optionsOf(facets?.tags, listOf(filters.tag))}
            value={listOf(filters.tag)}
            onChange={(tag) => filter({ tag })}
            {...found}
          />
          <Select
            label={t.type}
            data={optionsOf(facets?.types, listOf(filters.type))}
            value={filters.type ?? null}
            onChange={(type) => filter({ type })}
            {...found}
          />
          <MultiSelect
            label={t.author}
            data={optionsOf(authors, listOf(filters.author))}
            value={listOf(filters.author)}
            onChange={(author) => filter({ author })}
            {...found}
          />
          <SimpleGrid cols={2} spacing="sm">
            {DAYS.map((day) => (
              <TextInput
                key={day}
                type="date"
                label={t.days[day]}
                value={filters[day] ?? ''}
                onChange={(event) => filter({ [day]: event.currentTarget.value })}
              />
            ))}
          </SimpleGrid>
          <Checkbox
            label={t.overdue}
            checked={filters.overdue === true}
            onChange={(event) => filter({ overdue: event.currentTarget.checked })}
          />
          {/* The headings that sort are not in cards. */}
          <NativeSelect
            label={t.sortBy}
            hiddenFrom="md"
            data={Object.entries(t.sorts).map(([value, label]) => ({ value, label }))}
            value={filters.sort ?? DEFAULT_SORT}
            onChange={(event) => filter({ sort: event.currentTarget.value })}
          />
        </Stack>
      )}
    </ToolbarPopover>
  );
}

/** One or several of a few values. */
function Choice(props: {
  name: 'status' | 'outcome';
  label: string;
  labels: Record<string, string>;
  filters: DecisionFilters;
  filter: (change: Record<string, unknown>) => void;
}) {
  const { name, label, labels, filters, filter } = props;
  return (
    <Fieldset variant="unstyled" legend={label}>
      <Chip.Group
        multiple
        value={listOf<string>(filters[name])}
        onChange={(value) => filter({ [name]: value })}
      >
        <Group gap="2xs">
          {Object.entries(labels).map(([value, text]) => (
            <Chip key={value} value={value} size="xs">
              {sentence(text)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Fieldset>
  );
}
