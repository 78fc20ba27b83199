import { describe, expect, it } from '@jest/globals';
import { isAbsent, trigramCounts } from './trigram-counts.ts';

/** The counts of that many texts, each of which is made by its number. */
function countsOf(texts: number, text: (i: number) => string) {
  const counts = trigramCounts();
  for (let i = 0; i < texts; i += 1) counts.add(text(i));
  return counts;
}

describe('the trigrams that a text is looked for by', () => {
  it('are the rarest, but for those that share two characters with one of them', () => {
    const counts = countsOf(1_000, (i) => (i % 2 === 0 ? 'abcde' : i % 5 === 0 ? 'bcdef' : 'abc'));
    // def is in 100 of them, bcd and cde are in 600, abc is in 900.
    expect(counts.telling('abcdef')).toEqual(['def', 'bcd']);
    expect(counts.telling('abcde')).toEqual(['bcd']);
    expect(counts.telling('abcabcabc')).toEqual(['bca', 'cab']);
  });

  it('are no more than what they leave out is worth', () => {
    const counts = countsOf(20_000, (i) => (i < 10 ? 'rare here' : i < 5_000 ? 'seldom here' : 'here'));
    // To read ten rows takes less than to walk a list of 5,000, and all of them have what ends in "here".
    expect(counts.telling('rare here')).toEqual(['rar', 're ']);
    expect(counts.telling('seldom here')).toEqual(['sel', 'ldo', 'om ', ' he']);
  });

  it('are a few, however long the text and however common all of it', () => {
    const phrase = 'the quick brown fox jumps over the lazy dog and runs away from it';
    const counts = countsOf(200, (i) => (i % 10 === 0 ? 'nothing of it' : phrase));
    expect(counts.telling(phrase).length).toBeLessThanOrEqual(6);
    // In each of them: nothing is left out by another one.
    expect(countsOf(200, () => phrase).telling(phrase)).toHaveLength(1);
  });

  it('are one at least, though it occurs many times in each text', () => {
    const counts = countsOf(3, () => 'a'.repeat(2_000));
    expect(counts.telling('aaaaa')).toEqual(['aaa']);
    expect(countsOf(0, () => '').telling('abc')).toEqual(['abc']);
  });

  it('are told by what is there: not by what has gone', () => {
    const counts = countsOf(100, () => 'abc xyz');
    for (let i = 0; i < 100; i += 1) counts.remove('abc xyz');
    expect(isAbsent('xyz', counts.buckets)).toBe(true);
    for (let i = 0; i < 100; i += 1) counts.add(i < 5 ? 'abc xyz' : 'abc');
    expect(counts.telling('abc xyz')[0]).not.toBe('abc');
  });
});
