import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { limits } from '@waymark/client/facts';
import { Bookmark, Columns3, ListFilter } from 'lucide-react';
import { lazy, useEffect, useRef, useState } from 'react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { FacetPicker } from '../../ui/list/facet-picker.tsx';
import { LoadOnClick } from '../../ui/load-on-click.tsx';
import { useDecisionFacets } from './decision-facets.ts';
import { DEFAULT_SORT, decisionFiltersOf } from './decision-filters.ts';

const FilterChips = lazy(() => import('./filter-chips.tsx'));
const SavedViews = lazy(() => import('./saved-views.tsx'));
const ColumnChooser = lazy(() => import('./column-chooser.tsx'));

const route = getRouteApi('/user/w/$workspaceId/decisions');
const PAUSE_MS = 300;

/** The options of a field from their labels by value. */
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The filters of the decisions, kept in the URL, with views of them and the choice of columns. */
export function DecisionFilterBar() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const facets = useDecisionFacets(filters);
  const [isOpen, { toggle }] = useDisclosure();
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const count = useRef<HTMLParagraphElement>(null);
  const { sort, ...others } = filters;
  const filter = (change: Record<string, unknown>) =>
    void navigate({ search: decisionFiltersOf({ ...filters, ...change }), replace: true });
  const authors = (facets?.authors ?? []).map(({ id, ...author }) => ({ value: id, ...author }));
  return (
    <>
      <Group align="flex-end" gap="sm" role="search" aria-label={t.label}>
        <TextFilter value={filters.text ?? ''} apply={(text) => filter({ text })} />
        <Button
          variant="default"
          hiddenFrom="sm"
          aria-expanded={isOpen}
          leftSection={<ListFilter size={16} aria-hidden />}
          onClick={toggle}
        >
          {t.filters}
        </Button>
        {(isOpen || isWide) && (
          <Group align="flex-end" gap="sm">
            <NativeSelect
              label={t.status}
              data={optionsOf({ '': ui.all, ...words.status })}
              value={filters.status ?? ''}
              onChange={(event) => filter({ status: event.currentTarget.value })}
            />
            <NativeSelect
              label={t.outcome}
              data={optionsOf({ '': ui.all, ...words.outcome })}
              value={filters.outcome ?? ''}
              onChange={(event) => filter({ outcome: event.currentTarget.value })}
            />
            <FacetPicker
              label={t.tag}
              values={facets?.tags}
              chosen={filters.tag}
              pick={(tag) => filter({ tag })}
            />
            <FacetPicker
              label={t.type}
              values={facets?.types}
              chosen={filters.type}
              pick={(type) => filter({ type })}
            />
            <FacetPicker
              label={t.author}
              values={authors}
              chosen={filters.author}
              pick={(author) => filter({ author })}
            />
            {/* The headings that sort are not on a phone. */}
            <NativeSelect
              label={t.sortBy}
              hiddenFrom="sm"
              data={optionsOf(t.sorts)}
              value={filters.sort ?? DEFAULT_SORT}
              onChange={(event) => filter({ sort: event.currentTarget.value })}
            />
            <Checkbox
              label={t.overdue}
              mb="xs"
              checked={filters.overdue === true}
              onChange={(event) => filter({ overdue: event.currentTarget.checked })}
            />
          </Group>
        )}
      </Group>
      <Group justify="space-between" mt="sm" gap="xs">
        <Text size="sm" c="dimmed" role="status" tabIndex={-1} ref={count}>
          {facets && t.count(facets.total)}
        </Text>
        {Object.keys(others).length > 0 && (
          <LazyPart>
            <FilterChips
              filters={others}
              author={authors.find(({ value }) => value === others.author)?.name}
              remove={(name) => filter({ [name]: undefined })}
              clear={() => void navigate({ search: sort ? { sort } : {}, replace: true })}
              focusList={() => count.current?.focus()}
            />
          </LazyPart>
        )}
        <Group gap="xs">
          <LoadOnClick label={t.views} icon={<Bookmark size={16} aria-hidden />}>
            <SavedViews />
          </LoadOnClick>
          <LoadOnClick label={t.columns} icon={<Columns3 size={16} aria-hidden />}>
            <ColumnChooser />
          </LoadOnClick>
        </Group>
      </Group>
    </>
  );
}

/** Applies shortly after the last key. */
function TextFilter({ value, apply }: { value: string; apply: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const applyLater = useDebouncedCallback(apply, PAUSE_MS);
  return (
    <TextInput
      type="search"
      label={t.titleContains}
      w={180}
      maxLength={limits.titleCharacters}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        applyLater(event.currentTarget.value);
      }}
    />
  );
}
