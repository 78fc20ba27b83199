import { expect, it } from '@jest/globals';
import { spread } from './spread.ts';

it('exchanges ASCII characters for each other, and leaves all others where they are', () => {
  const ascii = Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1));
  expect(ascii.map(spread).sort()).toEqual(ascii);
  expect([...spread('a漢ß😀a')]).toEqual([spread('a'), '漢', 'ß', '😀', spread('a')]);
  expect(spread(ascii.join(''))).toBe(ascii.map(spread).join(''));
});
