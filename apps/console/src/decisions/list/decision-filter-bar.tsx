import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { OUTCOMES, STATUSES } from '../decision-words.ts';
import { decisionFiltersOf } from './decision-filters.ts';

const route = getRouteApi('/user/w/$workspaceId/decisions');
const ALL = { value: '', label: 'All' };

/** The filters of the decisions, kept in the URL. */
export function DecisionFilterBar() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { sort, ...others } = filters;
  const filter = (change: Record<string, unknown>) =>
    void navigate({ search: decisionFiltersOf({ ...filters, ...change }), replace: true });
  return (
    <Group align="flex-end" gap="sm" mb="md" role="search" aria-label="Filter the decisions">
      <NativeSelect
        label="Status"
        data={[ALL, ...STATUSES]}
        value={filters.status ?? ''}
        onChange={(event) => filter({ status: event.currentTarget.value })}
      />
      <NativeSelect
        label="Outcome"
        data={[ALL, ...OUTCOMES]}
        value={filters.outcome ?? ''}
        onChange={(event) => filter({ outcome: event.currentTarget.value })}
      />
      <WordFilter label="Tag" value={filters.tag ?? ''} apply={(tag) => filter({ tag })} />
      <WordFilter label="Type" value={filters.type ?? ''} apply={(type) => filter({ type })} />
      <Checkbox
        label="Overdue"
        mb={8}
        checked={filters.overdue === true}
        onChange={(event) => filter({ overdue: event.currentTarget.checked })}
      />
      {Object.keys(others).length > 0 && (
        <Button
          variant="subtle"
          color="var(--mantine-color-text)"
          onClick={() => navigate({ search: sort ? { sort } : {}, replace: true })}
        >
          Show all
        </Button>
      )}
    </Group>
  );
}

/** Applies on Enter or blur, because the API matches whole values. */
function WordFilter(props: { label: string; value: string; apply: (word: string) => void }) {
  const { label, value, apply } = props;
  const [word, setWord] = useState(value);
  useEffect(() => setWord(value), [value]);
  const applyNew = () => {
    if (word.trim() !== value) apply(word);
  };
  return (
    <TextInput
      label={label}
      w={140}
      value={word}
      onChange={(event) => setWord(event.currentTarget.value)}
      onBlur={applyNew}
      onKeyDown={(event) => event.key === 'Enter' && applyNew()}
    />
  );
}
