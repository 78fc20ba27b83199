import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.ts';

describe('readAhead', () => {
  it('yields the same items and fetches one ahead', async () => {
    const fetched: number[] = [];
    async function* items() {
      for (let i = 1; i <= 3; i += 1) {
        fetched.push(i);
        yield i;
      }
    }
    const seen: [number, number[]][] = [];
    for await (const item of readAhead(items())) seen.push([item, [...fetched]]);
    expect(seen.map(([item]) => item)).toEqual([1, 2, 3]);
    expect(seen[0]![1]).toEqual([1, 2]);
  });

  it('fails after the items that preceded the failure', async () => {
    async function* items() {
      yield 'first';
      throw new Error('broken');
    }
    const seen: string[] = [];
    const reading = (async () => {
      for await (const item of readAhead(items())) seen.push(item);
    })();
    await expect(reading).rejects.toThrow('broken');
    expect(seen).toEqual(['first']);
  });
});
