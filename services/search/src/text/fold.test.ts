import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_SEPARATOR, fold, foldWithOffsets } from './fold.ts';

const folds: [string, string][] = [
  ['Straße', 'STRASSE'],
  ['ẞ', 'ß'],
  ['İstanbul', 'istanbul'],
  ['İSTANBUL', 'i̇stanbul'],
  ['I\u0307I', 'ii'],
  ['ﬁnden', 'FINDEN'],
  ['ﬄ', 'FFL'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΌΣ'],
  ['ŉ', 'ʼN'],
  ['ǰ', 'J\u030c'],
  ['ᾳ', 'ΑΙ'],
  ['Ꭰ', 'ꭰ'],
  ['𐐀', '𐐨'],
  ['Ǆ', 'ǅ'],
  ['K', 'k'],
  ['Å', 'å'],
];

/** Every code point except surrogates. */
function letters(): string[] {
  const codePoints = Array.from({ length: 0x11_00_00 }, (_, codePoint) => codePoint);
  return codePoints
    .filter((codePoint) => codePoint >> 11 !== 0x1b)
    .map((codePoint) => String.fromCodePoint(codePoint));
}

describe('fold', () => {
  it.each(folds)('makes %s and %s equal', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it('keeps texts apart that differ in more than case', () => {
    for (const [one, other] of [
      ['ı', 'i'],
      ['é', 'e'],
      ['é', 'e\u0301'],
      ['ż', 'z'],
      ['z\u0307', 'z'],
      ['%', '_'],
      ['ａ', 'a'],
    ] as const) {
      expect(fold(one)).not.toBe(fold(other));
    }
  });

  it('agrees with the case mappings of JavaScript', () => {
    // U+0345 and the letters with it have a full iota as their upper case.
    const exceptions = /^(?:İ|\u0345|[\u0390\u03b0\u1f80-\u1fff])$/;
    const wrong = letters().filter((letter) => {
      const upper = letter.toUpperCase();
      return upper.toLowerCase() === letter && !exceptions.test(letter) && fold(upper) !== fold(letter);
    });
    expect(wrong).toEqual([]);
  });

  it('never returns the separator', () => {
    expect(letters().filter((letter) => fold(letter).includes(FIELD_SEPARATOR))).toEqual([]);
  });

  const text = () =>
    fc.string({ unit: fc.oneof(fc.constantFrom(...'aAiIİıßẞﬁΣσς\u0307'), fc.string({ unit: 'binary' })) });

  it('is idempotent', () => {
    fc.assert(fc.property(text(), (value) => fold(fold(value)) === fold(value)));
  });

  it('of a part is contained in that of the whole, unless the part begins with a dot above', () => {
    fc.assert(
      fc.property(text(), text(), text(), (before, part, after) => {
        fc.pre(!part.startsWith('\u0307'));
        return fold(before + part + after).includes(fold(part));
      }),
    );
  });

  it('keeps the offsets of the original', () => {
    fc.assert(
      fc.property(text(), (value) => {
        const { text: folded, startOf, endOf } = foldWithOffsets(value);
        expect(folded).toBe(fold(value));
        let covered = 0;
        for (let unit = 0; unit < folded.length; unit += 1) {
          const start = startOf(unit);
          expect(start === covered || (unit > 0 && start === startOf(unit - 1))).toBe(true);
          expect(folded).toContain(fold(value.slice(start, endOf(unit))));
          covered = endOf(unit);
        }
        expect(covered).toBe(value.length);
      }),
    );
  });
});
