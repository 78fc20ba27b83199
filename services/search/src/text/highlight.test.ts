import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from './fold.ts';
import { highlightsIn } from './highlight.ts';

const marked = (text: string, q: string, max = 10) =>
  highlightsIn(text, fold(q), max).map(({ start, end }) => [start, end]);

describe('highlightsIn', () => {
  it('returns the original offsets where folding changes lengths', () => {
    expect(marked('In der Straße 5', 'STRASSE 5')).toEqual([[7, 15]]);
    expect(marked('ﬁnﬁsh', 'FI')).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(marked('nach İstanbul', 'istanbul')).toEqual([[5, 13]]);
    expect(marked('i\u0307stanbul', 'İSTAN')).toEqual([[0, 6]]);
    expect(marked('ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς')).toEqual([[0, 8]]);
    expect(marked('😀 Größe 😀', 'GRÖSSE')).toEqual([[3, 8]]);
  });

  it('covers a letter once when only a part of its folding matches', () => {
    expect(marked('weiß', 's')).toEqual([[3, 4]]);
    expect(marked('ßß', 'ss')).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('does not overlap', () => {
    expect(marked('aaaaa', 'aa')).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });

  it('returns at most `max` matches', () => {
    expect(marked('a'.repeat(100), 'a', 3)).toHaveLength(3);
  });

  it('takes every character literally', () => {
    expect(marked('100% of a*b_c."d"', '%')).toEqual([[3, 4]]);
    expect(marked('100% of a*b_c."d"', 'a*b')).toEqual([[8, 11]]);
    expect(marked('100 of aab', 'a.b')).toEqual([]);
  });

  it('shows an excerpt of whole letters around the match', () => {
    const text = `${'😀'.repeat(80)}needle${'x😀'.repeat(80)}`;
    const [found] = highlightsIn(text, 'needle', 1);
    expect(found!.excerpt.isWellFormed()).toBe(true);
    expect(text.slice(found!.excerpt_start)).toMatch(new RegExp(`^${found!.excerpt}`));
    expect(found!.excerpt.slice(found!.start - found!.excerpt_start).startsWith('needle')).toBe(true);
    expect(found!.excerpt.length).toBeLessThan(140);
  });

  it('covers a text whose folding contains the query', () => {
    const text = () => fc.string({ unit: fc.constantFrom(...'aAiIİıßẞsSﬁfΣσς\u0307😀') });
    fc.assert(
      fc.property(text(), text(), (value, q) => {
        fc.pre(q !== '');
        const folded = fold(q);
        const found = highlightsIn(value, folded, 100);
        expect(found.length > 0).toBe(fold(value).includes(folded));
        for (const { start, end } of found) expect(fold(value.slice(start, end))).toContain(folded);
      }),
    );
  });
});
