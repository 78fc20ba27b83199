import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isUserId, usePeople } from '../../threads/use-people.ts';

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
  const nameOf = (entry: string) => (isUserId(entry) && people.find(({ id }) => id === entry)?.name) || entry;
  const entryOf = (name: string) =>
    value.find((entry) => nameOf(entry) === name) ?? people.find((one) => one.name === name)?.id ?? name;
  return (
    <TagsInput
      label={label}
      data={[...new Set(people.map(({ name }) => name))]}
      maxTags={PEOPLE_MAX}
      value={value.map(nameOf)}
      onChange={(names) => onChange?.(names.map((name) => entryOf(name.trim())))}
      error={error}
    />
  );
}
