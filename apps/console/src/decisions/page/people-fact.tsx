import { Group, Text } from '@mantine/core';
import { isUserId } from '../../api/person-entry.ts';
import { usePeople } from '../../session/people.ts';
import { threadTexts } from '../../texts/thread.ts';
import { Avatar } from '../../ui/avatar.tsx';

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
        if (!isUserId(entry)) return <PersonName key={entry} name={entry} />;
        const name = people?.find(({ id }) => id === entry)?.name;
        const shown = name ?? (people ? threadTexts.formerMember : '…');
        return (
          <Group key={entry} gap="2xs" wrap="nowrap">
            {name !== undefined && <Avatar name={name} />}
            <PersonName name={shown} />
          </Group>
        );
      })}
    </Group>
  );
}

const PersonName = ({ name }: { name: string }) => (
  <Text span size="sm">
    {name}
  </Text>
);
