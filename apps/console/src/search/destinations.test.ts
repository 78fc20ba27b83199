import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { search } from '../texts/de/search.ts';
import { searchTexts } from '../texts/search.ts';
import { destinationsFor, titleOf } from './destinations.ts';

const english = { ...searchTexts };
const found = (typed: string) => destinationsFor(typed, () => true).map(({ id }) => id);

describe('the destinations of a user of the German console', () => {
  beforeAll(() => void Object.assign(searchTexts, search));
  afterAll(() => void Object.assign(searchTexts, english));

  it.each([
    ['jemand einladen', 'Jemanden einladen'],
    ['schluessel erneuern', 'API-Schlüssel erneuern'],
    ['ueberfällig', 'Überfällige Entscheidungen'],
    ['passwort', 'Dein Konto'],
    ['invtie', 'Jemanden einladen'],
    ['rotate key', 'API-Schlüssel erneuern'],
    ['password', 'Dein Konto'],
  ])('are found by their words in German and in English: %j', (typed, title) =>
    expect(found(typed).map(titleOf)).toEqual([title]),
  );
});

it('finds destinations in English by their words in English only', () => {
  expect(found('password').map(titleOf)).toEqual(['Your account']);
  expect(found('einladen')).toEqual([]);
});
