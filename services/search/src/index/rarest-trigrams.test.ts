import { describe, expect, it } from '@jest/globals';
import { isAbsent, trigramCounts } from './trigram-counts.ts';

describe('trigram counts', () => {
  it('return the rarest trigrams of a text that do not overlap', () => {
    const { add, rarest } = trigramCounts();
    for (let i = 0; i < 100; i += 1) add('the common words');
    add('the rare');
    expect(rarest('the rare')).toEqual(['e r', 'are']);
    expect(rarest('abc')).toEqual(['abc']);
    for (let i = 0; i < 1_000; i += 1) add('frequent');
    expect(rarest('frequent rare')).toEqual(['nt ']);
    expect(rarest('😀a😀b')).toHaveLength(1);
  });

  it('prove a text absent until a text with all its trigrams is added, and again once that is removed', () => {
    const { add, remove, buckets } = trigramCounts();
    expect(isAbsent('straße', buckets)).toBe(true);
    add('die straße 😀😀');
    expect(isAbsent('straße', buckets)).toBe(false);
    expect(isAbsent('e 😀', buckets)).toBe(false);
    expect(isAbsent('stral', buckets)).toBe(true);
    // Texts of one or two characters have no trigram.
    expect(isAbsent('zz', buckets)).toBe(false);
    remove('die straße 😀😀');
    expect(isAbsent('straße', buckets)).toBe(true);
  });
});
