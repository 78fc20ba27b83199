import type { Schemas } from '@waymark/client/api';

type Person = Pick<Schemas['Person'], 'id' | 'name'>;

/** How a stored text mentions a member, by the user's id. */
const MENTION = /@\[([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\]/gi;

export const hasMention = (text: string) => text.search(MENTION) >= 0;

/** Shows each mention as `@name`. */
export const withNames = (text: string, nameOf: (id: string) => string) =>
  text.replace(MENTION, (_, id: string) => `@${nameOf(id.toLowerCase())}`);

/** How a text that is being written mentions a person: by name, unless another person has the same one. */
export const written = ({ id, name }: Person, people: readonly Person[]) =>
  people.some((other) => other.id !== id && other.name === name) ? `@[${id}]` : `@${name}`;

/** Turns a stored text into one to edit. Mentions that `toStored` could not restore stay ids. */
export const toWritten = (text: string, people: readonly Person[]) =>
  text.replace(MENTION, (mention, id: string) => {
    const person = people.find((one) => one.id === id.toLowerCase());
    return person ? written(person, people) : mention;
  });

/** Turns a written text into the one to store. */
export function toStored(text: string, people: readonly Person[]): string {
  const ids = new Map(people.map((person) => [written(person, people), person.id]));
  // A name may begin another one.
  const longestFirst = [...ids.keys()].toSorted((a, b) => b.length - a.length);
  const mentions = longestFirst.map((mention) => mention.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  if (mentions.length === 0) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${mentions.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return text.replace(pattern, (mention) => `@[${ids.get(mention)}]`);
}

export interface Typed {
  /** Where the @ is. */
  from: number;
  name: string;
}

/** The name that is being typed before the caret; null for none. */
export function typedMention(text: string, caret: number): Typed | null {
  const found = /(?<![\p{L}\p{N}])@([\p{L}\p{N} .'-]{0,40})$/u.exec(text.slice(0, caret));
  return found && { from: found.index, name: found[1]!.toLowerCase() };
}
