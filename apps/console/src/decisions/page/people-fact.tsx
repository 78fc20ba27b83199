import { Group, Text } from '@mantine/core';
import { isUserId } from '../../api/person-entry.ts';
import { threadTexts } from '../../texts/thread.ts';
import { Person } from '../../ui/avatar.tsx';
import { usePeople } from '../../workspace/people.ts';

/** People of a decision: members by their name of now with initials, others as they are written. */
export function PeopleFact({ label, entries }: { label: string; entries: string[] }) {
  const people = usePeople(entries.some(isUserId));
  if (entries.length === 0) return null;
  return (
    <Group gap="xs">
      <Text span size="sm" c="dimmed">
        {label}:
      </Text>
      {entries.map((entry) => {
        const name = isUserId(entry) ? people?.find(({ id }) => id === entry)?.name : entry;
        const unknown = people ? threadTexts.formerMember : '…';
        return (
          <Text key={entry} span size="sm">
            {name === undefined ? unknown : <Person name={name} />}
          </Text>
        );
      })}
    </Group>
  );
}
