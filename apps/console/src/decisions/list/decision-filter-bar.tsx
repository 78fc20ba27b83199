import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { limits } from '@waymark/client/facts';
import { Columns3, ListFilter } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { boardTexts as texts } from '../../texts/board.ts';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Layouts } from '../../ui/list/layouts.tsx';
import { LoadOnClick } from '../../ui/load-on-click.tsx';
import { ListViews } from '../../views/list-views.tsx';
import { decisionFiltersOf } from '../views/decision-filters.ts';
import { decisionViews, viewQueryOf } from '../views/decision-views.ts';
import { useDecisionFacets } from './decision-facets.ts';

const AddFilter = lazyPart(() => import('./add-filter.tsx'));
const FilterChips = lazyPart(() => import('./filter-chips.tsx'));
const ColumnChooser = lazyPart(() => import('../views/column-chooser.tsx'));

const route = getRouteApi('/user/w/$workspaceId/decisions');
const PAUSE_MS = 300;

/** The filters of the decisions, kept in the URL, with views of them and the choice of columns. */
export function DecisionFilterBar() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const facets = useDecisionFacets(filters);
  const count = useRef<HTMLParagraphElement>(null);
  const { sort, board, ...others } = filters;
  const arranged = { ...(sort && { sort }), ...(board && { board }) };
  const filter = (change: Record<string, unknown>) =>
    void navigate({ search: decisionFiltersOf({ ...filters, ...change }), replace: true });
  return (
    <Group gap="xs">
      <Group gap="xs" role="search" aria-label={t.label}>
        <TextFilter value={filters.text ?? ''} apply={(text) => filter({ text })} />
        <LoadOnClick label={t.addFilter} icon={<ListFilter size={16} aria-hidden />}>
          <AddFilter filters={filters} facets={facets} filter={filter} />
        </LoadOnClick>
      </Group>
      <Text size="sm" c="dimmed" role="status" tabIndex={-1} ref={count}>
        {facets && t.count(facets.total)}
      </Text>
      {Object.keys(others).length > 0 && (
        <LazyPart>
          <FilterChips
            filters={others}
            authors={facets?.authors}
            change={filter}
            clear={() => void navigate({ search: arranged, replace: true })}
            focusList={() => count.current?.focus()}
          />
        </LazyPart>
      )}
      <Group gap="xs" ms={{ base: 0, sm: 'auto' }}>
        <ListViews list={decisionViews} query={viewQueryOf(filters)} />
        {!board && (
          <LoadOnClick label={t.columns} icon={<Columns3 size={16} aria-hidden />}>
            <ColumnChooser />
          </LoadOnClick>
        )}
        <Layouts other={texts.list} />
      </Group>
    </Group>
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
      aria-label={t.titleContains}
      placeholder={t.titleContains}
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
