import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { entryFor, nameIn } from '../../api/person-entry.ts';
import { usePeople } from '../../workspace/people.ts';

const PEOPLE_MAX = 50;

/** Names members, whom it offers, and others. `value` has user ids and names. */
export function PeopleField(props: {
  label: string;
  value?: string[];
  onChange?: (people: string[]) => void;
  error?: ReactNode;
}) {
  const { label, value = [], onChange, error } = props;
  const people = usePeople() ?? [];
  return (
    <TagsInput
      label={label}
      data={[...new Set(people.map(({ name }) => name))]}
      maxTags={PEOPLE_MAX}
      value={value.map((entry) => nameIn(people, entry))}
      onChange={(names) => onChange?.(names.map((name) => entryFor(people, name.trim(), value)))}
      error={error}
    />
  );
}
