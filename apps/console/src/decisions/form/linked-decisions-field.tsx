import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { decisionFormTexts } from '../../texts/decision-form.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { decisionKeys } from '../decision-keys.ts';
import { decisionQuery } from '../decision-query.ts';

const PAUSE_MS = 250;
const OFFERED = 10;

/** Selects other decisions by text search. `value` has their ids. */
export function LinkedDecisionsField(props: {
  label: string;
  description: string;
  most: number;
  self: string | undefined;
  value?: string[];
  onChange?: (ids: string[]) => void;
  error?: string;
}) {
  const t = decisionFormTexts.links;
  const { label, description, most, self, value = [], onChange, error } = props;
  const { id: workspaceId } = useWorkspace();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  const [word] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const offered = useQuery({
    queryKey: [...decisionKeys.list(workspaceId), 'to-link', word],
    changesWith: ['decision.*', 'decisions.*'],
    queryFn: ({ signal }) => offer(workspaceId, word, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const unseen = useQueries({
    queries: value
      .filter((id) => !seen.has(id))
      .map((id) => ({ ...decisionQuery(workspaceId, id), retry: false })),
  });
  const titles = new Map(seen);
  for (const { data } of unseen) if (data) titles.set(data.id, data.title);
  const titleOf = (id: string) => titles.get(id) ?? t.unknown;
  const found = (offered.data ?? []).filter(({ id }) => id !== self && !value.includes(id));

  function choose(ids: string[]) {
    const chosen = found.filter(({ id }) => ids.includes(id));
    setSeen(new Map([...titles, ...chosen.map(({ id, title }) => [id, title] as const)]));
    onChange?.(ids);
    setTyped('');
  }

  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length < most ? t.search : ''}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      // The server has already filtered, not only by title.
      filter={({ options }) => options}
      hidePickedOptions
      maxValues={most}
      nothingFoundMessage={offered.isFetching ? t.searching : t.noneFound}
      data={[
        ...value.map((id) => ({ value: id, label: titleOf(id) })),
        ...found.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      value={value}
      onChange={choose}
      error={error}
    />
  );
}

/** Returns decisions that contain a text; without one, the newest. */
async function offer(workspaceId: string, word: string, signal: AbortSignal) {
  const shown = { workspaceId, limit: OFFERED };
  const found = await (word === ''
    ? api.get('/decisions', shown, { signal })
    : api.get('/search', { ...shown, q: word }, { signal }));
  return found.decisions;
}
