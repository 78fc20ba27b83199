import type { Schemas } from '@waymark/client/api';

type Named = Pick<Schemas['Person'], 'id' | 'name'>;

const USER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Whether an entry in a list of people is the id of a member, as opposed to the name of somebody else. */
export const isUserId = (entry: string) => USER_ID.test(entry);

/** The name of an entry in a list of people: that of the member now, or the text itself. */
export const nameIn = (people: readonly Named[], entry: string) =>
  (isUserId(entry) && people.find(({ id }) => id === entry)?.name) || entry;

/** The entry for a name that somebody chose or typed: one of `known`, a member's id, or the name. */
export const entryFor = (people: readonly Named[], name: string, known: readonly string[]) =>
  known.find((entry) => nameIn(people, entry) === name) ??
  people.find((one) => one.name === name)?.id ??
  name;
