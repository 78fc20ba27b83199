import { describe, expect, it } from '@jest/globals';
import { hasMention, toStored, toWritten, typedMention, withNames } from './mentions.ts';

const id = (n: number) => `0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f6${n}`;
const ada = { id: id(1), name: 'Ada' };
const adaLovelace = { id: id(2), name: 'Ada Lovelace (she)' };
const twins = [
  { id: id(3), name: 'Sam' },
  { id: id(4), name: 'Sam' },
];
const people = [ada, adaLovelace, ...twins];

describe('a mention', () => {
  it('is written by name and stored by id', () => {
    const written = 'Hi @Ada, ask @Ada Lovelace (she), not ada@Ada or @Adam.';
    const stored = `Hi @[${ada.id}], ask @[${adaLovelace.id}], not ada@Ada or @Adam.`;
    expect(toStored(written, people)).toBe(stored);
    expect(toWritten(stored, people)).toBe(written);
    expect([hasMention(stored), hasMention(written)]).toEqual([true, false]);
  });

  it('stays an id where a name is not enough', () => {
    const text = `@[${twins[1]!.id}] and @[${id(9)}]`;
    expect(toWritten(text, people)).toBe(text);
    expect(toStored(text, people)).toBe(text);
    expect(toStored('@Sam', people)).toBe('@Sam');
    expect(toStored('@Ada', [])).toBe('@Ada');
  });

  it('is shown by the name of now', () => {
    const names = new Map(people.map((person) => [person.id, person.name]));
    const shown = withNames(`@[${ada.id.toUpperCase()}] @[${id(9)}]`, (of) => names.get(of) ?? 'gone');
    expect(shown).toBe('@Ada @gone');
  });

  it.each([
    ['Hi @Ad', { from: 3, name: 'ad' }],
    ['@', { from: 0, name: '' }],
    ['@Ada Love', { from: 0, name: 'ada love' }],
    ['me@example', null],
    ['@Ada\nnext', null],
    ['no', null],
  ])('is being typed in %j: %j', (text, expected) =>
    expect(typedMention(text, text.length)).toEqual(expected),
  );
});
