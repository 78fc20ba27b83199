import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pair } from '../records.ts';
import { findCycle, shortestPath } from './cycles.ts';

const edges = fc.array(fc.tuple(fc.nat(8).map(String), fc.nat(8).map(String)), { maxLength: 24 });
const isWalk = (path: string[], known: readonly Pair[]) =>
  path.slice(1).every((target, i) => known.some(([s, t]) => s === path[i] && t === target));

/** Returns which nodes reach which by at least one edge (Warshall, 1962). */
function reachability(known: readonly Pair[]): Set<string> {
  const reaches = new Set(known.map((pair) => pair.join('>')));
  const ids = [...new Set(known.flat())];
  for (const via of ids)
    for (const from of ids)
      for (const to of ids)
        if (reaches.has(`${from}>${via}`) && reaches.has(`${via}>${to}`)) reaches.add(`${from}>${to}`);
  return reaches;
}

describe('findCycle', () => {
  it('finds a cycle if and only if there is one, and returns a valid one', () => {
    fc.assert(
      fc.property(edges, (known) => {
        const reaches = reachability(known);
        const cycle = findCycle(known);
        expect(cycle !== null).toBe(known.flat().some((id) => reaches.has(`${id}>${id}`)));
        if (!cycle) return;
        expect(cycle.at(0)).toBe(cycle.at(-1));
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        expect(isWalk(cycle, known)).toBe(true);
      }),
    );
  });

  it('handles 100,000 nodes in a row', () => {
    const row = Array.from({ length: 100_000 }, (_, i): Pair => [`${i}`, `${i + 1}`]);
    expect(findCycle(row)).toBeNull();
    expect(findCycle([...row, ['100000', '0']])).toHaveLength(100_002);
    expect(shortestPath(row, '0', '100000')).toHaveLength(100_001);
  });
});

describe('shortestPath', () => {
  it('finds a path if and only if there is one, and returns a shortest one', () => {
    fc.assert(
      fc.property(edges, fc.nat(8).map(String), fc.nat(8).map(String), (known, from, to) => {
        const path = shortestPath(known, from, to);
        expect(path !== null).toBe(from === to || reachability(known).has(`${from}>${to}`));
        if (!path) return;
        expect([path.at(0), path.at(-1)]).toEqual([from, to]);
        expect(isWalk(path, known)).toBe(true);
        expect(path.length).toBeLessThanOrEqual(new Set([from, to, ...known.flat()]).size);
      }),
    );
    const joined = ['ab', 'bc', 'cd', 'ad'].map((pair) => [pair[0]!, pair[1]!] as const);
    expect(shortestPath(joined, 'a', 'd')).toEqual(['a', 'd']);
  });
});
