import type { Texts } from '../support/texts.ts';

export interface QueryClass {
  name: string;
  queries: string[];
}

const QUERIES = 100;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Texts to search for, by frequency. The absent ones are verified against every text. */
export function queryClasses(corpus: Texts, texts: readonly string[]): QueryClass[] {
  const { words, random } = corpus;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const many = (make: () => string) => {
    const made = new Set<string>();
    while (made.size < QUERIES) made.add(make());
    return [...made];
  };
  const lower = texts.map((text) => text.toLowerCase());
  const absent = (make: () => string) => {
    const candidates = new Set(many(make));
    for (const text of lower) {
      for (const candidate of candidates) if (text.includes(candidate)) candidates.delete(candidate);
    }
    return [...candidates];
  };
  const common = words.slice(0, 60).filter((word) => word.length >= 3);
  const middling = words.slice(500, 2_500);
  return [
    { name: 'common word', queries: common },
    { name: 'middling word', queries: many(() => pick(middling)).filter((word) => word.length >= 3) },
    {
      name: 'rare: 12 characters of an item',
      queries: many(() => pick(lower).slice(100, 112)),
    },
    { name: '100 characters of an item', queries: many(() => pick(lower).slice(60, 160)) },
    { name: 'absent word', queries: absent(() => pick(middling) + pick(middling)) },
    {
      name: 'absent, of common words',
      queries: absent(() => `${pick(common)} ${pick(common)} ${pick(common)}`),
    },
    { name: 'absent letters', queries: absent(() => `${pick(LETTERS)}q${pick(LETTERS)}x${pick(LETTERS)}`) },
    { name: '1 character', queries: [...LETTERS, ...'0123456789%.?:ßŁçΔ東ж漢~#@'] },
    {
      name: '2 characters',
      queries: many(() => pick(LETTERS) + pick([...LETTERS, ...LETTERS, ' ', '%', 'ß', '東'])),
    },
  ];
}
