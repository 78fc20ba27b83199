import { isUserId } from '../../api/person-entry.ts';
import { threadTexts } from '../../texts/thread.ts';
import { Person } from '../../ui/avatar.tsx';
import { usePeople } from '../../workspace/people.ts';
import { Fact } from './fact.tsx';

/** People of a decision: members by their name of now with initials, others as they are written. */
export default function PeopleFact({ label, entries }: { label: string; entries: string[] }) {
  const people = usePeople(entries.some(isUserId));
  if (entries.length === 0) return null;
  const nameOf = (id: string) => people?.find((person) => person.id === id)?.name;
  const unknown = people ? threadTexts.formerMember : '…';
  return (
    <Fact label={label}>
      {entries.map((entry) => {
        const name = isUserId(entry) ? nameOf(entry) : entry;
        return <div key={entry}>{name === undefined ? unknown : <Person name={name} />}</div>;
      })}
    </Fact>
  );
}
