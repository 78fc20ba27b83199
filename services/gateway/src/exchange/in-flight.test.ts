import { describe, expect, it } from '@jest/globals';
import { inFlight } from './in-flight.ts';

describe('inFlight', () => {
  it('keeps each item until it is removed, in whatever order', () => {
    const { items, add, remove } = inFlight<{ name: string; index: number }>();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, index: 0 }));
    for (const item of [a!, b!, c!, d!]) add(item);
    expect(remove(a!)).toBe(true);
    expect(remove(a!)).toBe(false);
    expect(remove(d!)).toBe(true);
    expect(items.map(({ name }) => name).sort()).toEqual(['b', 'c']);
    expect([remove(c!), remove(b!), remove(b!)]).toEqual([true, true, false]);
    expect(items).toEqual([]);
  });
});
